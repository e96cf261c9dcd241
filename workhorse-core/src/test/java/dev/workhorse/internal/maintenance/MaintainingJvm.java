package dev.workhorse.internal.maintenance;

import org.postgresql.ds.PGSimpleDataSource;

/**
 * Cleans up once, in a JVM that can be killed.
 */
public final class MaintainingJvm {

	private MaintainingJvm() {
	}

	public static void main(String[] args) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(args[0]);
		System.out.println("begins");
		System.out.println(new Maintenance(dataSource, "workhorse", RetentionSettings.DEFAULTS).run());
	}

}
