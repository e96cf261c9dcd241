package dev.workhorse.internal.operations;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;

import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.sql.SqlValues;
import dev.workhorse.operations.DeclaredSubscription;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Looking at subscriptions and ending them.
 */
final class SubscriptionControl {

	private static final SqlStatement LIST_SUBSCRIPTIONS = SqlStatement.load(SubscriptionControl.class,
			"list-subscriptions.sql");

	private static final SqlStatement END_SUBSCRIPTION = SqlStatement.load(SubscriptionControl.class,
			"end-subscription.sql");

	private final CallerTransaction transaction;

	private final String schema;

	SubscriptionControl(CallerTransaction transaction, String schema) {
		this.transaction = transaction;
		this.schema = schema;
	}

	List<DeclaredSubscription> list() {
		SqlStatement statement = LIST_SUBSCRIPTIONS.inSchema(this.schema);
		return this.transaction
			.execute((session) -> session.jdbc().query(statement.text(), (row, index) -> subscription(row)));
	}

	private static DeclaredSubscription subscription(ResultSet row) throws SQLException {
		return new DeclaredSubscription(row.getString("event"), row.getString("type"), row.getString("queue"),
				row.getString("filter"), SqlValues.texts(row, "payload_fields"), SqlValues.instant(row, "declared_at"),
				SqlValues.instantOrNull(row, "ended_at"), row.getString("ended_by"), row.getString("end_reason"));
	}

	boolean end(String event, String type, Audit audit) {
		SqlStatement statement = END_SUBSCRIPTION.inSchema(this.schema);
		MapSqlParameterSource values = new MapSqlParameterSource().addValue("event", event, Types.VARCHAR)
			.addValue("type", type, Types.VARCHAR)
			.addValue("by", audit.by(), Types.VARCHAR)
			.addValue("reason", audit.reason(), Types.VARCHAR);
		return this.transaction.write("end a subscription",
				(session) -> session.jdbc().update(statement.text(), statement.bind(values)) == 1);
	}

}
