package dev.workhorse.internal.operations;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.workhorse.Bounds;
import dev.workhorse.EnqueueKey;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.sql.SqlValues;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.operations.CancelOutcome;
import dev.workhorse.operations.DeadLetter;
import dev.workhorse.operations.DeadLetterFilter;
import dev.workhorse.operations.DeclaredSubscription;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobDetails.AttemptError;
import dev.workhorse.operations.JobFilter;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.JobStatistics;
import dev.workhorse.operations.JobSummary;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.KeyExplanation;
import dev.workhorse.operations.LiveKey;
import dev.workhorse.operations.Page;
import dev.workhorse.operations.PausedQueue;
import dev.workhorse.operations.QueueCount;
import dev.workhorse.operations.Redrive;
import dev.workhorse.operations.TimelineEntry;
import dev.workhorse.operations.UnhandledType;
import dev.workhorse.operations.WorkerNode;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * {@link Jobs} on PostgreSQL.
 */
public final class PostgresJobs implements Jobs {

	private static final SqlStatement FIND_JOB = SqlStatement.load(PostgresJobs.class, "find-job.sql");

	private static final SqlStatement FIND_ATTEMPT_ERRORS = SqlStatement.load(PostgresJobs.class,
			"find-attempt-errors.sql");

	private static final SqlStatement FIND_TIMELINE = SqlStatement.load(PostgresJobs.class, "find-timeline.sql");

	private static final SqlStatement COUNT_FINISHED_JOBS = SqlStatement.load(PostgresJobs.class,
			"count-finished-jobs.sql");

	private static final SqlStatement LIST_WORKERS = SqlStatement.load(PostgresJobs.class, "list-workers.sql");

	private static final SqlStatement LIST_UNHANDLED_TYPES = SqlStatement.load(PostgresJobs.class,
			"list-unhandled-types.sql");

	private final JdbcTemplate jdbc;

	private final String schema;

	private final JobControl control;

	private final KeyControl keys;

	private final QueueControl queues;

	private final SubscriptionControl subscriptions;

	private final DeadLetters deadLetters;

	private final JobLists lists;

	private final JobCounts counts;

	/**
	 * Create the operations.
	 * @param dataSource where the jobs are kept
	 * @param schema the schema
	 * @param hasher hashes keys
	 * @param wakeUps told of jobs that become ready
	 * @param cancelledRetention how long cancelled jobs stay, by type, where their
	 * handler says so
	 */
	public PostgresJobs(DataSource dataSource, String schema, KeyHasher hasher, WakeUps wakeUps,
			Supplier<Map<String, Duration>> cancelledRetention) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.schema = schema;
		CallerTransaction transaction = new CallerTransaction(dataSource);
		this.control = new JobControl(transaction, schema, wakeUps, cancelledRetention);
		this.keys = new KeyControl(transaction, schema, hasher);
		this.queues = new QueueControl(transaction, schema, wakeUps);
		this.subscriptions = new SubscriptionControl(transaction, schema);
		this.deadLetters = new DeadLetters(transaction, schema, hasher, wakeUps);
		this.lists = new JobLists(this.jdbc, schema);
		this.counts = new JobCounts(this.jdbc, transaction, schema, this::unhandledTypes);
	}

	@Override
	public boolean pause(String queue, String by, String reason) {
		return this.queues.pause(Bounds.name("queue", queue), Audit.of(by, reason));
	}

	@Override
	public boolean resume(String queue) {
		return this.queues.resume(Bounds.name("queue", queue));
	}

	@Override
	public List<PausedQueue> pausedQueues() {
		return this.queues.paused();
	}

	@Override
	public List<DeclaredSubscription> subscriptions() {
		return this.subscriptions.list();
	}

	@Override
	public boolean endSubscription(String event, String type, String by, String reason) {
		return this.subscriptions.end(Bounds.name("event", event), Bounds.name("type", type), Audit.of(by, reason));
	}

	@Override
	public List<UnhandledType> unhandledTypes() {
		return unhandledTypes(this.jdbc);
	}

	private List<UnhandledType> unhandledTypes(JdbcTemplate jdbc) {
		SqlStatement statement = LIST_UNHANDLED_TYPES.inSchema(this.schema);
		return jdbc.query(statement.text(), statement.bind(new MapSqlParameterSource("most", COUNT_LIMIT)),
				(row, index) -> new UnhandledType(row.getString("queue"), row.getString("type"), row.getLong("jobs")));
	}

	@Override
	public Page<DeadLetter> deadLetters(DeadLetterFilter filter, @Nullable String after, int most) {
		return this.deadLetters.list(filter, after, most);
	}

	@Override
	public Redrive redrive(UUID jobId, String requestId, String by, String reason) {
		return this.deadLetters.redrive(jobId, requestId, Audit.of(by, reason));
	}

	@Override
	public long redriveAll(DeadLetterFilter filter, String requestId, String by, String reason, boolean dryRun) {
		return this.deadLetters.redriveAll(filter, requestId, Audit.of(by, reason), dryRun);
	}

	@Override
	public KeyExplanation explain(String scope, String key) {
		return this.keys.explain(new EnqueueKey(scope, key));
	}

	@Override
	public boolean release(String scope, String key, String by, String reason) {
		return this.keys.release(new EnqueueKey(scope, key), Audit.of(by, reason));
	}

	@Override
	public boolean releaseKeyOf(UUID jobId, String by, String reason) {
		return this.keys.releaseOf(jobId, Audit.of(by, reason));
	}

	@Override
	public boolean releaseDigest(String scope, String digest, String by, String reason) {
		return this.keys.releaseDigest(Bounds.name("scope", scope), digest, Audit.of(by, reason));
	}

	@Override
	public CancelOutcome cancel(UUID jobId, String by, String reason) {
		return this.control.cancel(jobId, Audit.of(by, reason), false);
	}

	@Override
	public CancelOutcome cancelAndInterrupt(UUID jobId, String by, String reason) {
		return this.control.cancel(jobId, Audit.of(by, reason), true);
	}

	@Override
	public boolean runNow(UUID jobId, String by, String reason) {
		return this.control.runNow(jobId, Audit.of(by, reason));
	}

	@Override
	public long purge(String queue, String by, String reason) {
		return this.control.purge(Bounds.name("queue", queue), Audit.of(by, reason));
	}

	@Override
	public Optional<JobDetails> find(UUID jobId) {
		SqlStatement findJob = FIND_JOB.inSchema(this.schema);
		MapSqlParameterSource id = new MapSqlParameterSource("id", jobId);
		// the job first: what made it fail is stored together with its end
		return this.jdbc.query(findJob.text(), findJob.bind(id), (row, index) -> jobDetails(row, List.of()))
			.stream()
			.findFirst()
			.map((job) -> job.withErrors(errors(id)));
	}

	private List<AttemptError> errors(MapSqlParameterSource id) {
		SqlStatement findErrors = FIND_ATTEMPT_ERRORS.inSchema(this.schema);
		return this.jdbc.query(findErrors.text(), findErrors.bind(id), (row, index) -> attemptError(row));
	}

	private static JobDetails jobDetails(ResultSet row, List<AttemptError> errors) throws SQLException {
		return new JobDetails(row.getObject("id", UUID.class), row.getString("queue"), row.getString("type"),
				JobState.of(row.getString("state")), row.getInt("priority"), row.getInt("attempt"),
				row.getInt("max_attempts"), SqlValues.texts(row, "tags"), SqlValues.instant(row, "created_at"),
				SqlValues.instantOrNull(row, "run_at"), SqlValues.instantOrNull(row, "started_at"),
				SqlValues.instantOrNull(row, "finished_at"), row.getString("payload"), row.getString("result"),
				row.getObject("redrive_of", UUID.class), row.getObject("parent_id", UUID.class),
				row.getString("progress"), errors);
	}

	private static AttemptError attemptError(ResultSet row) throws SQLException {
		return new AttemptError(row.getInt("attempt"), SqlValues.instant(row, "at"), row.getString("kind"),
				row.getString("type"), row.getString("message"), row.getString("stack"));
	}

	@Override
	public List<TimelineEntry> timeline(UUID jobId) {
		SqlStatement statement = FIND_TIMELINE.inSchema(this.schema);
		return this.jdbc.query(statement.text(), statement.bind(new MapSqlParameterSource("id", jobId)),
				(row, index) -> new TimelineEntry(SqlValues.instant(row, "at"), row.getString("kind"),
						row.getObject("attempt", Integer.class), row.getString("by"), row.getString("reason")));
	}

	@Override
	public List<QueueCount> countLive() {
		return this.counts.live();
	}

	@Override
	public JobStatistics statistics(Duration maxAge) {
		return this.counts.statistics(maxAge);
	}

	@Override
	public Page<JobSummary> list(JobFilter filter, @Nullable String after, int most) {
		return this.lists.jobs(filter, after, most);
	}

	@Override
	public Map<JobState, Long> countFinished() {
		SqlStatement statement = COUNT_FINISHED_JOBS.inSchema(this.schema);
		Map<JobState, Long> counts = new EnumMap<>(JobState.class);
		this.jdbc.query(statement.text(), statement.bind(new MapSqlParameterSource("most", COUNT_LIMIT)),
				(RowCallbackHandler) (row) -> counts.put(JobState.of(row.getString("state")), row.getLong("jobs")));
		return counts;
	}

	@Override
	public List<WorkerNode> workers() {
		return this.jdbc.query(LIST_WORKERS.inSchema(this.schema).text(),
				(row, index) -> new WorkerNode(row.getObject("id", UUID.class), row.getString("name"),
						SqlValues.texts(row, "queues"), SqlValues.texts(row, "types"), row.getInt("slots"),
						SqlValues.instant(row, "started_at"), SqlValues.instant(row, "alive_until"),
						row.getBoolean("alive")));
	}

	@Override
	public List<LiveKey> liveKeys(int most) {
		return liveKeys(null, null, most).items();
	}

	@Override
	public Page<LiveKey> liveKeys(@Nullable String scope, @Nullable String after, int most) {
		return this.lists.liveKeys(scope, after, most);
	}

}
