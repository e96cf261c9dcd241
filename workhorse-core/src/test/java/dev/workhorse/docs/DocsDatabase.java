package dev.workhorse.docs;

import javax.sql.DataSource;

import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.TestDatabase;

/**
 * A migrated database for the snippets of one page.
 */
final class DocsDatabase {

	private DocsDatabase() {
	}

	static TestDatabase create() {
		return TestDatabase.create("docs", DocsDatabase::migrate);
	}

	private static void migrate(DataSource dataSource) {
		Workhorse.builder(dataSource).build().prepareSchema();
	}

}
