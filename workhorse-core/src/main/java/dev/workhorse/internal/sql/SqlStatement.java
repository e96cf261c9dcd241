package dev.workhorse.internal.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.StatementCreatorUtils;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/**
 * One statement, read from a {@code .sql} resource beside the class that runs it and
 * prepared for one schema. Parameters are named ({@code :job_id}).
 */
public final class SqlStatement {

	/** The schema the resources are written against. */
	public static final String DEFAULT_SCHEMA = "workhorse";

	private static final Pattern COMMENT = Pattern.compile("--[^\n]*");

	private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");

	private static final Pattern SCHEMA_PREFIX = Pattern.compile("\\b" + DEFAULT_SCHEMA + "\\.");

	private final String source;

	private final String text;

	private final List<String> parameters;

	/** This statement against other schemas, each rewritten once. */
	private final Map<String, SqlStatement> inOtherSchemas = new ConcurrentHashMap<>();

	private SqlStatement(String source) {
		this.source = source;
		List<String> names = new ArrayList<>();
		StringBuilder jdbc = new StringBuilder();
		Matcher matcher = PARAMETER.matcher(source);
		while (matcher.find()) {
			names.add(matcher.group(1));
			matcher.appendReplacement(jdbc, "?");
		}
		matcher.appendTail(jdbc);
		this.text = jdbc.toString();
		this.parameters = List.copyOf(names);
	}

	/**
	 * Read a statement.
	 * @param owner the class that runs it, beside which the resource lies
	 * @param file the name of the resource, for example {@code claim-jobs.sql}
	 * @return the statement, against the default schema
	 */
	public static SqlStatement load(Class<?> owner, String file) {
		try (InputStream stream = owner.getResourceAsStream(file)) {
			if (stream == null) {
				throw new IllegalStateException("No SQL resource %s beside %s".formatted(file, owner.getName()));
			}
			String commented = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
			return new SqlStatement(COMMENT.matcher(commented).replaceAll("").strip());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Rewrite the statement for another schema.
	 * @param schema the schema, a plain identifier
	 * @return the statement against that schema
	 */
	public SqlStatement inSchema(String schema) {
		if (schema.equals(DEFAULT_SCHEMA)) {
			return this;
		}
		return this.inOtherSchemas.computeIfAbsent(schema, (other) -> new SqlStatement(
				SCHEMA_PREFIX.matcher(this.source).replaceAll(Matcher.quoteReplacement(other + "."))));
	}

	/**
	 * The statement as JDBC takes it.
	 * @return the text with a question mark for each parameter
	 */
	public String text() {
		return this.text;
	}

	/**
	 * Bind values to the parameters.
	 * @param values the values by name
	 * @return the setter
	 */
	public PreparedStatementSetter bind(SqlParameterSource values) {
		return (statement) -> {
			int index = 0;
			for (String name : this.parameters) {
				StatementCreatorUtils.setParameterValue(statement, ++index, values.getSqlType(name),
						values.getValue(name));
			}
		};
	}

	@Override
	public String toString() {
		return this.source;
	}

}
