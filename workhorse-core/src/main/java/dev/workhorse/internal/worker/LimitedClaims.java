package dev.workhorse.internal.worker;

import java.sql.Types;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.workhorse.internal.sql.SqlArrays;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.worker.QueueSettings.Rate;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Claims from a queue whose jobs are limited by group or in the rate they start at, on
 * all nodes together. Nodes take turns by locks that end with the transaction, and count
 * in a statement that began after they had them. What a dead node leaves behind is its
 * running jobs, which count until their leases are over.
 */
final class LimitedClaims {

	private static final SqlStatement LOCK_GROUPS = SqlStatement.load(LimitedClaims.class, "lock-groups.sql");

	private static final SqlStatement CLAIM_GROUPED_JOBS = SqlStatement.load(LimitedClaims.class,
			"claim-grouped-jobs.sql");

	private static final SqlStatement REFILL_RATE = SqlStatement.load(LimitedClaims.class, "refill-rate.sql");

	private static final SqlStatement TAKE_TOKENS = SqlStatement.load(LimitedClaims.class, "take-tokens.sql");

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final String schema;

	private final PostgresLeases leases;

	LimitedClaims(JdbcTemplate jdbc, String schema, PostgresLeases leases) {
		this.jdbc = jdbc;
		this.schema = schema;
		this.leases = leases;
		this.transaction = new TransactionTemplate(
				new JdbcTransactionManager(Objects.requireNonNull(jdbc.getDataSource())));
		// each statement has to see what was committed before it
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
	}

	List<ClaimedJob> claim(UUID worker, String queue, QueueSettings limits, Collection<String> types, int most) {
		return Objects.requireNonNull(this.transaction.execute((status) -> {
			Rate rate = limits.rate();
			int allowed = (rate != null) ? Math.min(most, tokens(queue, rate)) : most;
			if (allowed == 0) {
				return List.<ClaimedJob>of();
			}
			List<ClaimedJob> jobs = claim(worker, queue, limits.perKey(), types, allowed);
			if (rate != null && !jobs.isEmpty()) {
				SqlStatement take = TAKE_TOKENS.inSchema(this.schema);
				this.jdbc.update(take.text(), take.bind(queue(queue).addValue("jobs", jobs.size())));
			}
			return jobs;
		}));
	}

	private List<ClaimedJob> claim(UUID worker, String queue, @Nullable Integer perKey, Collection<String> types,
			int most) {
		if (perKey == null) {
			return this.leases.claim(worker, queue, types, most);
		}
		MapSqlParameterSource values = queue(queue).addValue("types", SqlArrays.text(types), Types.ARRAY)
			.addValue("per_key", perKey)
			.addValue("most", most)
			.addValue("lock_name", this.schema + " group of " + queue + " ", Types.VARCHAR);
		SqlStatement lock = LOCK_GROUPS.inSchema(this.schema);
		List<String> keys = this.jdbc.query(lock.text(), lock.bind(values), (row, index) -> row.getString(1));
		SqlStatement claim = CLAIM_GROUPED_JOBS.inSchema(this.schema);
		values.addValue("keys", SqlArrays.text(keys), Types.ARRAY)
			.addValue("worker", worker)
			.addValue("lease_ms", this.leases.leaseMillis());
		return this.jdbc.query(claim.text(), claim.bind(values), (row, index) -> PostgresLeases.job(row, queue));
	}

	private int tokens(String queue, Rate rate) {
		SqlStatement refill = REFILL_RATE.inSchema(this.schema);
		MapSqlParameterSource values = queue(queue).addValue("starts", (double) rate.starts())
			.addValue("period_ms", (double) rate.period().toMillis());
		Double tokens = DataAccessUtils.requiredSingleResult(
				this.jdbc.query(refill.text(), refill.bind(values), (row, index) -> row.getDouble(1)));
		return tokens.intValue();
	}

	private static MapSqlParameterSource queue(String queue) {
		return new MapSqlParameterSource().addValue("queue", queue, Types.VARCHAR);
	}

}
