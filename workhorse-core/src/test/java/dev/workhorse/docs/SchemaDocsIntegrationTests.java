package dev.workhorse.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import dev.workhorse.CoreDatabase;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.SchemaMode;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds {@code docs/reference/schema.md} to the schema.
 */
class SchemaDocsIntegrationTests {

	private static final Pattern HEADING = Pattern.compile("^## Table `([a-z_]+)`$");

	private static final Pattern ROW = Pattern.compile("^\\| `([a-z_]+)` \\| ([^|]+) \\|.*");

	private static final Pattern GRANTS = Pattern.compile("<!-- grants -->\\s*```sql\\n(.*?)```", Pattern.DOTALL);

	@Test
	void pageNamesEveryColumnWithItsType() {
		try (CoreDatabase database = CoreDatabase.create()) {
			List<String> columns = database.jdbc()
				.queryForList("""
						select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, null)
						from pg_attribute a
						join pg_class c on c.oid = a.attrelid
						where c.relnamespace = 'workhorse'::regnamespace and c.relkind = 'r'
						  and c.relname not like 'databasechangelog%' and a.attnum > 0 and not a.attisdropped""",
						String.class);
			assertThat(documentedColumns()).containsExactlyInAnyOrderElementsOf(columns);
		}
	}

	private static List<String> documentedColumns() {
		List<String> columns = new ArrayList<>();
		String table = "";
		for (String line : Docs.page("reference/schema.md").lines().toList()) {
			Matcher heading = HEADING.matcher(line);
			Matcher row = ROW.matcher(line);
			if (heading.matches()) {
				table = heading.group(1);
			}
			else if (line.startsWith("## ")) {
				table = "";
			}
			else if (!table.isEmpty() && row.matches()) {
				columns.add(table + "." + row.group(1) + " " + row.group(2).trim());
			}
		}
		return columns;
	}

	@Test
	void schemaThatWasAppliedByHandWorksForARoleWithTheDocumentedGrants() {
		try (TestDatabase database = TestDatabase.create("docs_by_hand", SchemaDocsIntegrationTests::applyByHand)) {
			JdbcTemplate owner = new JdbcTemplate(database.dataSource());
			String role = database.name() + "_app";
			owner.execute("create role " + role);
			try {
				owner.execute(grants().replace("app_role", role));
				DataSource restricted = database
					.newDataSource((config) -> config.setConnectionInitSql("set role " + role));
				assertThat(run(restricted)).isEqualTo(JobState.SUCCEEDED);
			}
			finally {
				owner.execute("drop owned by " + role);
				owner.execute("drop role " + role);
			}
		}
	}

	private static JobState run(DataSource dataSource) {
		Workhorse workhorse = Workhorse.builder(dataSource)
			.schemaMode(SchemaMode.VALIDATE)
			.handler(HandlerDefinition.of("hello", String.class, (payload, job) -> {
				if (job.attempt() == 1) {
					throw new IllegalStateException("fails once, to write an event");
				}
				return payload;
			}))
			.retryPolicy(RetryPolicy.parse("fixed:PT0.01S"))
			.build();
		workhorse.prepareSchema();
		workhorse.start();
		try {
			UUID job = workhorse.queue().enqueue("hello", "x");
			return Await.value("the job to finish", () -> workhorse.jobs().find(job).orElseThrow().state(),
					JobState::isFinished);
		}
		finally {
			workhorse.stop(Duration.ofSeconds(5));
		}
	}

	private static void applyByHand(DataSource dataSource) {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		jdbc.execute("create schema workhorse");
		jdbc.execute(changelog().replace("${schema}", "workhorse"));
	}

	private static String changelog() {
		try (InputStream stream = Workhorse.class.getResourceAsStream("/dev/workhorse/db/changelog.sql")) {
			return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String grants() {
		Matcher grants = GRANTS.matcher(Docs.page("reference/schema.md"));
		assertThat(grants.find()).isTrue();
		return grants.group(1);
	}

}
