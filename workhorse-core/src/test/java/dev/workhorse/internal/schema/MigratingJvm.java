package dev.workhorse.internal.schema;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.runtime.Workhorse;

/**
 * Another JVM that migrates, to be killed half way.
 */
public final class MigratingJvm {

	private MigratingJvm() {
	}

	/**
	 * Takes a JDBC URL.
	 */
	public static void main(String[] args) {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(args[0]);
			Workhorse.builder(pool).build().prepareSchema();
		}
	}

}
