package dev.workhorse.internal.schema;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.workhorse.CoreDatabase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the migrated schema with the committed picture of it, so that every change of
 * the schema is seen in review.
 */
class SchemaSnapshotIntegrationTests {

	private static final Path SNAPSHOT = Path.of("src/test/resources/schema-snapshot.txt");

	private static final String PICTURE = """
			with relation as (
			  select pg_class.oid, pg_class.relname, pg_class.relkind, pg_class.reloptions
			  from pg_class
			  where relnamespace = 'workhorse'::regnamespace and relname not like 'databasechangelog%'
			),
			line as (
			  select relname as owner, 0 as part, '' as name, 'table ' || relname
			    || coalesce(' with (' || (select string_agg(o, ', ' order by o) from unnest(reloptions) as o) || ')', '') as text
			  from relation
			  where relkind in ('r', 'p')
			  union all
			  select relname, 1, lpad(attnum::text, 4, '0'), '  column ' || attname || ' ' || format_type(atttypid, atttypmod)
			    || case when attnotnull then ' not null' else '' end
			    || case attidentity when 'a' then ' generated always as identity' when 'd' then ' by default as identity'
			       else '' end
			    || coalesce(' default ' || pg_get_expr(adbin, adrelid), '')
			  from relation
			  join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
			  left join pg_attrdef on adrelid = attrelid and adnum = attnum
			  where relkind in ('r', 'p')
			  union all
			  select relname, 2, conname, '  constraint ' || conname || ' ' || pg_get_constraintdef(pg_constraint.oid)
			  from relation
			  join pg_constraint on conrelid = relation.oid
			  where contype <> 'n'
			  union all
			  select relation.relname, 3, pg_class.relname, '  ' || pg_get_indexdef(indexrelid)
			  from relation
			  join pg_index on indrelid = relation.oid
			  join pg_class on pg_class.oid = indexrelid
			  union all
			  select relname, 4, tgname, '  ' || pg_get_triggerdef(pg_trigger.oid)
			  from relation
			  join pg_trigger on tgrelid = relation.oid and not tgisinternal
			  union all
			  select '~' || proname, 5, '', 'function ' || proname || '(' || pg_get_function_arguments(oid) || ') returns '
			    || pg_get_function_result(oid) || ' ' || provolatile::text || ' as ' || trim(prosrc)
			  from pg_proc
			  where pronamespace = 'workhorse'::regnamespace
			)
			select string_agg(text, E'\\n' order by owner collate "C", part, name collate "C") || E'\\n' from line
			""";

	@Test
	void migratedSchemaIsTheCommittedOne() throws IOException {
		String schema;
		try (CoreDatabase database = CoreDatabase.create()) {
			schema = database.jdbc().queryForObject(PICTURE, String.class);
		}
		if (Boolean.getBoolean("workhorse.snapshot.update")) {
			Files.writeString(SNAPSHOT, schema);
		}
		assertThat(schema)
			.as("The migrated schema differs from %s. If the change is meant, run this test once with "
					+ "-Dworkhorse.snapshot.update=true and commit the file", SNAPSHOT)
			.isEqualTo(Files.readString(SNAPSHOT));
	}

}
