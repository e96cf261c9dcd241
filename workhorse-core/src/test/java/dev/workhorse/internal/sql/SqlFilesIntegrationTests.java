package dev.workhorse.internal.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

import dev.workhorse.CoreDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A compiler for the statements: each is prepared against the migrated schema.
 */
class SqlFilesIntegrationTests {

	private static final String OTHER_SCHEMA = "other_jobs";

	private static CoreDatabase database;

	private static Connection connection;

	@BeforeAll
	static void migrateTwoSchemas() throws SQLException {
		database = CoreDatabase.create();
		database.builder().schema(OTHER_SCHEMA).build().prepareSchema();
		connection = database.database().newConnection();
	}

	@AfterAll
	static void closeDatabase() throws SQLException {
		connection.close();
		database.close();
	}

	static List<SqlFile> all() {
		return SqlFile.all();
	}

	@Test
	void everyConstantLoadsOneOfTheFiles() {
		assertThat(all()).hasSizeGreaterThan(15);
		assertThat(SqlFile.constants()).isEqualTo(all().size());
	}

	@ParameterizedTest
	@MethodSource("all")
	void fileIsLoadedByExactlyOneConstantOfItsName(SqlFile file) {
		assertThat(file.loads()).singleElement().asString().endsWith(" " + file.constantName());
	}

	@ParameterizedTest
	@MethodSource("all")
	void fileBeginsWithACommentAndKeepsToLowerCase(SqlFile file) {
		assertThat(file.text()).startsWith("-- ").endsWith("\n").doesNotContain("\t");
		String code = file.text().replaceAll("--[^\n]*", "").replaceAll("'[^']*'", "''");
		assertThat(code).doesNotContainPattern("[A-Z;]");
		assertThat(file.text().lines()).allSatisfy((line) -> assertThat(line).hasSizeLessThanOrEqualTo(120));
	}

	@ParameterizedTest
	@MethodSource("all")
	void statementIsValid(SqlFile file) throws SQLException {
		prepare(file.statement());
	}

	@ParameterizedTest
	@MethodSource("all")
	void statementIsValidInAnotherSchemaAndLeavesTheDefaultOneAlone(SqlFile file) throws SQLException {
		SqlStatement other = file.statement().inSchema(OTHER_SCHEMA);
		assertThat(other.text()).contains(OTHER_SCHEMA + ".").doesNotContain("workhorse.");
		prepare(other);
	}

	private static void prepare(SqlStatement statement) throws SQLException {
		try (PreparedStatement prepared = connection.prepareStatement(statement.text())) {
			// asks the server to parse and analyse the statement, without running it
			int parameters = prepared.getParameterMetaData().getParameterCount();
			assertThat(parameters).isEqualTo((int) statement.text().chars().filter((c) -> c == '?').count());
		}
	}

}
