package dev.workhorse.internal.event;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import javax.sql.DataSource;

import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.Subscription;
import dev.workhorse.internal.job.EnqueueSettings;
import dev.workhorse.internal.job.JobParameters;
import dev.workhorse.internal.json.JsonText;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.SqlStatement;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Writes down what handlers subscribe to, so that events reach them wherever they are
 * emitted and dispatched, and whichever node happens to be up.
 */
public final class PostgresSubscriptions {

	private static final SqlStatement DECLARE_SUBSCRIPTIONS = SqlStatement.load(PostgresSubscriptions.class,
			"declare-subscriptions.sql");

	private final CallerTransaction transaction;

	private final SqlStatement declareSubscriptions;

	private final EnqueueSettings defaults;

	public PostgresSubscriptions(DataSource dataSource, String schema, EnqueueSettings defaults) {
		this.transaction = new CallerTransaction(dataSource);
		this.declareSubscriptions = DECLARE_SUBSCRIPTIONS.inSchema(schema);
		this.defaults = defaults;
	}

	/**
	 * Declare what some handlers subscribe to. Nothing is ended by not being among it.
	 * @param handlers the handlers of this node
	 */
	public void declare(Collection<HandlerDefinition> handlers) {
		List<Declared> all = new ArrayList<>();
		handlers.forEach((handler) -> handler.subscriptions()
			.forEach((subscription) -> all.add(new Declared(handler, subscription))));
		if (all.isEmpty()) {
			return;
		}
		MapSqlParameterSource values = new MapSqlParameterSource()
			.addValue("events", JobParameters.array("text", all, (declared) -> declared.subscription().event()))
			.addValue("types", JobParameters.array("text", all, (declared) -> declared.handler().type()))
			.addValue("queues", JobParameters.array("text", all, (declared) -> declared.subscription().queue()))
			.addValue("filters",
					JobParameters.array("text", all, (declared) -> filter(declared.subscription().filter())))
			.addValue("payload_fields",
					JobParameters.array("text", all,
							(declared) -> JsonText.array(declared.subscription().payloadFields())))
			.addValue("max_attempts", JobParameters.array("bigint", all, (declared) -> maxAttempts(declared.handler())))
			.addValue("retry_policies",
					JobParameters.array("text", all, (declared) -> retryPolicy(declared.handler())));
		this.transaction.write("declare subscriptions", (session) -> session.jdbc()
			.update(this.declareSubscriptions.text(), this.declareSubscriptions.bind(values)));
	}

	private static @Nullable String filter(Map<String, String> filter) {
		return (!filter.isEmpty()) ? JsonText.object(filter) : null;
	}

	private long maxAttempts(HandlerDefinition handler) {
		return Objects.requireNonNullElse(handler.maxAttempts(), this.defaults.maxAttempts());
	}

	private String retryPolicy(HandlerDefinition handler) {
		return Objects.requireNonNullElse(handler.retryPolicy(), this.defaults.retryPolicy()).text();
	}

	/**
	 * A subscription and whose it is.
	 *
	 * @param handler the handler
	 * @param subscription the subscription
	 */
	private record Declared(HandlerDefinition handler, Subscription subscription) {

	}

}
