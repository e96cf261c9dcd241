package dev.workhorse.internal.json;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Random;

import dev.workhorse.CoreDatabase;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What comes back from {@code jsonb} has the canonical form of what went in: a stored
 * request can be compared with a repeat.
 */
class CanonicalFormIntegrationTests {

	private static CoreDatabase database;

	private static Connection connection;

	private final JsonCanonicalizer canonicalizer = new JsonCanonicalizer("payload", 1_000_000);

	@BeforeContainer
	static void connect() throws SQLException {
		database = CoreDatabase.create();
		connection = database.database().newConnection();
	}

	@AfterContainer
	static void disconnect() throws SQLException {
		connection.close();
		database.close();
	}

	@Property(tries = 200)
	void jsonbKeepsTheForm(@ForAll("values") Object value, @ForAll Random random) throws SQLException {
		assertKept(JsonSamples.spell(value, random));
	}

	@Example
	void jsonbKeepsTheFormOfExtremes() throws SQLException {
		assertKept("1e999");
		assertKept("-1e-999");
		assertKept("-0.0e-500");
		assertKept("0." + "123456789".repeat(111));
		assertKept("[".repeat(1_000) + "]".repeat(1_000));
		assertKept("{\"a\":1,\"a\":{\"b\":1,\"b\":null}}");
		assertKept("\"\\u0001\\u007f\\u2028\\ufeff\\uffff\\ud83d\\ude00\"");
	}

	@Provide
	Arbitrary<Object> values() {
		return JsonSamples.values();
	}

	private void assertKept(String json) throws SQLException {
		String form = this.canonicalizer.canonical(json);
		String stored = throughJsonb(json);
		assertThat(this.canonicalizer.canonical(stored)).isEqualTo(form);
		assertThat(JsonDifference.between(json, stored, 20)).isEmpty();
	}

	private static String throughJsonb(String json) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement("select cast(? as jsonb)::text")) {
			statement.setString(1, json);
			try (ResultSet row = statement.executeQuery()) {
				row.next();
				return row.getString(1);
			}
		}
	}

}
