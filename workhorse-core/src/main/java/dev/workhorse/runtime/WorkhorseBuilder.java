package dev.workhorse.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import dev.workhorse.EnqueueOptions;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.internal.event.EventSettings;
import dev.workhorse.internal.job.EnqueueSettings;
import dev.workhorse.internal.maintenance.RetentionSettings;
import dev.workhorse.internal.observation.Interceptors;
import dev.workhorse.internal.observation.Listeners;
import dev.workhorse.internal.sql.SqlStatement;
import dev.workhorse.internal.worker.HandlerRegistry;
import dev.workhorse.internal.worker.HandlerTransactions;
import dev.workhorse.internal.worker.QueueSettings;
import dev.workhorse.internal.worker.WorkerSettings;
import dev.workhorse.observation.WorkhorseInterceptor;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.payload.Jackson2PayloadCodec;
import dev.workhorse.payload.PayloadCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Configures a {@link Workhorse}. Everything but the {@code DataSource} has a default.
 */
public final class WorkhorseBuilder {

	private static final QueueSettings DEFAULT_QUEUE_SETTINGS = new QueueSettings(QueueSettings.DEFAULT_CONCURRENCY,
			null, null);

	private static final Pattern IDENTIFIER = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

	final DataSource dataSource;

	private final List<HandlerDefinition> handlers = new ArrayList<>();

	private final List<Supplier<? extends Collection<HandlerDefinition>>> handlerSources = new ArrayList<>();

	private final Map<String, QueueSettings> queues = new LinkedHashMap<>();

	private final List<WorkhorseListener> listeners = new ArrayList<>();

	private final List<WorkhorseInterceptor> interceptors = new ArrayList<>();

	String schema = SqlStatement.DEFAULT_SCHEMA;

	SchemaMode schemaMode = SchemaMode.MIGRATE;

	PayloadCodec codec = new Jackson2PayloadCodec();

	WorkhorseListener listener = new Listeners(this.listeners);

	WorkhorseInterceptor interceptor = new Interceptors(this.interceptors);

	@Nullable String pepper;

	int maxPayloadBytes = EnqueueSettings.DEFAULT_MAX_PAYLOAD_BYTES;

	boolean workerEnabled = true;

	private @Nullable DataSource workerDataSource;

	private Supplier<? extends PlatformTransactionManager> transactionManager;

	private Duration idempotencyTtl = EnqueueSettings.DEFAULTS.idempotencyTtl();

	private int maxAttempts = EnqueueSettings.DEFAULTS.maxAttempts();

	private RetryPolicy retryPolicy = EnqueueSettings.DEFAULTS.retryPolicy();

	private @Nullable Duration keyWait;

	private String name = "worker";

	private Duration lease = WorkerSettings.DEFAULT_LEASE;

	private Duration pollInterval = WorkerSettings.DEFAULT_POLL_INTERVAL;

	private RetentionSettings retention = RetentionSettings.DEFAULTS;

	private ThreadFactory handlerThreads = new HandlerThreads();

	WorkhorseBuilder(DataSource dataSource) {
		this.dataSource = dataSource;
		this.transactionManager = () -> new JdbcTransactionManager(dataSource);
	}

	/**
	 * Keep the jobs in another schema.
	 * @param schema a plain lower-case identifier; default {@code workhorse}
	 * @return this builder
	 */
	public WorkhorseBuilder schema(String schema) {
		if (!IDENTIFIER.matcher(schema).matches()) {
			throw new InvalidRequestException("schema",
					"a lower-case identifier of letters, digits and underscores, at most 63", "'" + schema + "'");
		}
		this.schema = schema;
		return this;
	}

	/**
	 * Choose what is done about the schema at start.
	 * @param schemaMode the mode; default {@link SchemaMode#MIGRATE}
	 * @return this builder
	 */
	public WorkhorseBuilder schemaMode(SchemaMode schemaMode) {
		this.schemaMode = schemaMode;
		return this;
	}

	/**
	 * Let the worker's own statements (claims, heartbeats, completions, hints) take their
	 * connections from somewhere else than the application's pool, so that neither can
	 * starve the other. It needs up to five.
	 * @param workerDataSource leads to the same database; default: the job store itself
	 * @return this builder
	 */
	public WorkhorseBuilder workerDataSource(DataSource workerDataSource) {
		this.workerDataSource = workerDataSource;
		return this;
	}

	/**
	 * Choose what begins and commits the transactions of transactional handlers.
	 * @param transactionManager manages transactions on the job store's
	 * {@code DataSource}, and exposes their connection to JDBC; default: a
	 * {@code JdbcTransactionManager}
	 * @return this builder
	 */
	public WorkhorseBuilder transactionManager(PlatformTransactionManager transactionManager) {
		return transactionManager(() -> transactionManager);
	}

	/**
	 * Choose a transaction manager that is known later than the job store is built. It is
	 * asked for at {@link Workhorse#start()} if there are transactional handlers to run.
	 * @param source finds the transaction manager
	 * @return this builder
	 */
	public WorkhorseBuilder transactionManager(Supplier<? extends PlatformTransactionManager> source) {
		this.transactionManager = source;
		return this;
	}

	/**
	 * Choose how payloads and results become JSON.
	 * @param codec the codec; default {@link Jackson2PayloadCodec}
	 * @return this builder
	 */
	public WorkhorseBuilder codec(PayloadCodec codec) {
		this.codec = codec;
		return this;
	}

	/**
	 * Hash keys with a secret. Changing it forgets every live key.
	 * @param pepper the secret; default none
	 * @return this builder
	 */
	public WorkhorseBuilder pepper(@Nullable String pepper) {
		this.pepper = pepper;
		return this;
	}

	/**
	 * Bound payloads and results.
	 * @param maxPayloadBytes bytes of JSON text, up to 16 MiB; default 1 MiB
	 * @return this builder
	 */
	public WorkhorseBuilder maxPayloadBytes(int maxPayloadBytes) {
		this.maxPayloadBytes = maxPayloadBytes;
		return this;
	}

	/**
	 * Choose the ttl of idempotency keys given without one.
	 * @param idempotencyTtl 1 ms to 365 days; default 24 hours
	 * @return this builder
	 */
	public WorkhorseBuilder idempotencyTtl(Duration idempotencyTtl) {
		this.idempotencyTtl = idempotencyTtl;
		return this;
	}

	/**
	 * Choose the number of attempts of jobs enqueued without one.
	 * @param maxAttempts 1 to 100; default 25
	 * @return this builder
	 */
	public WorkhorseBuilder maxAttempts(int maxAttempts) {
		this.maxAttempts = maxAttempts;
		return this;
	}

	/**
	 * Choose the retry policy of jobs enqueued without one.
	 * @param retryPolicy the policy; default polynomial
	 * @return this builder
	 */
	public WorkhorseBuilder retryPolicy(RetryPolicy retryPolicy) {
		this.retryPolicy = retryPolicy;
		return this;
	}

	/**
	 * Bound the wait for another transaction to decide about a key.
	 * @param keyWait 1 ms to 365 days; default no bound
	 * @return this builder
	 */
	public WorkhorseBuilder keyWait(@Nullable Duration keyWait) {
		this.keyWait = keyWait;
		return this;
	}

	/**
	 * Register a handler.
	 * @param handler the handler
	 * @return this builder
	 */
	public WorkhorseBuilder handler(HandlerDefinition handler) {
		this.handlers.add(handler);
		return this;
	}

	/**
	 * Register handlers that are known later than the job store is built. They are asked
	 * for at every {@link Workhorse#start()}.
	 * @param source finds the handlers
	 * @return this builder
	 */
	public WorkhorseBuilder handlers(Supplier<? extends Collection<HandlerDefinition>> source) {
		this.handlerSources.add(source);
		return this;
	}

	/**
	 * Be told what happens.
	 * @param listener the listener
	 * @return this builder
	 */
	public WorkhorseBuilder listener(WorkhorseListener listener) {
		this.listeners.add(listener);
		return this;
	}

	/**
	 * Go around calls that enqueue and attempts that run.
	 * @param interceptor the interceptor; the first one is the outermost
	 * @return this builder
	 */
	public WorkhorseBuilder interceptor(WorkhorseInterceptor interceptor) {
		this.interceptors.add(interceptor);
		return this;
	}

	/**
	 * Choose whether this node runs jobs.
	 * @param workerEnabled default {@code true}
	 * @return this builder
	 */
	public WorkhorseBuilder workerEnabled(boolean workerEnabled) {
		this.workerEnabled = workerEnabled;
		return this;
	}

	/**
	 * Work on a queue.
	 * @param queue the queue
	 * @param concurrency how many of its jobs this node runs at once, 1 to 10,000;
	 * default: only the queue {@code default}, with 10
	 * @return this builder
	 */
	public WorkhorseBuilder workOn(String queue, int concurrency) {
		this.queues.merge(queue, new QueueSettings(concurrency, null, null),
				(known, added) -> new QueueSettings(concurrency, known.perKey(), known.rate()));
		return this;
	}

	/**
	 * Bound how many jobs of one concurrency key of a queue run at once on all nodes
	 * together. Every node that works on the queue needs the same setting.
	 * @param queue the queue, which this node works on
	 * @param perKey the number of jobs, 1 to 10,000; default no limit
	 * @return this builder
	 */
	public WorkhorseBuilder limitPerKey(String queue, int perKey) {
		QueueSettings known = this.queues.getOrDefault(queue, DEFAULT_QUEUE_SETTINGS);
		this.queues.put(queue, new QueueSettings(known.concurrency(), perKey, known.rate()));
		return this;
	}

	/**
	 * Bound how many jobs of a queue start within a time on all nodes together. Every
	 * node that works on the queue needs the same setting.
	 * @param queue the queue, which this node works on
	 * @param starts the number of jobs, 1 to 1,000,000, which may also start at once
	 * after a quiet period; default no limit
	 * @param period the time, 1 ms to 365 days
	 * @return this builder
	 */
	public WorkhorseBuilder limitRate(String queue, int starts, Duration period) {
		QueueSettings known = this.queues.getOrDefault(queue, DEFAULT_QUEUE_SETTINGS);
		this.queues.put(queue,
				new QueueSettings(known.concurrency(), known.perKey(), new QueueSettings.Rate(starts, period)));
		return this;
	}

	/**
	 * Name this node for people.
	 * @param name the name; default {@code worker}
	 * @return this builder
	 */
	public WorkhorseBuilder name(String name) {
		this.name = name;
		return this;
	}

	/**
	 * Choose how long a claim holds without a heartbeat.
	 * @param lease 100 ms to 1 hour; default 30 seconds
	 * @return this builder
	 */
	public WorkhorseBuilder lease(Duration lease) {
		this.lease = lease;
		return this;
	}

	/**
	 * Choose how often an idle queue is looked at.
	 * @param pollInterval 1 ms to 1 minute; default 1 second
	 * @return this builder
	 */
	public WorkhorseBuilder pollInterval(Duration pollInterval) {
		this.pollInterval = pollInterval;
		return this;
	}

	/**
	 * Choose how long finished jobs stay. A job that a live key answers with stays
	 * longer.
	 * @param succeeded how long succeeded jobs stay; default 1 day
	 * @param failed how long failed jobs stay; default 14 days
	 * @param cancelled how long cancelled jobs stay; default 1 day
	 * @return this builder
	 */
	public WorkhorseBuilder retention(Duration succeeded, Duration failed, Duration cancelled) {
		this.retention = new RetentionSettings(succeeded, failed, cancelled, this.retention.events(),
				this.retention.interval());
		return this;
	}

	/**
	 * Choose how long the dedupe key of an event is remembered after every subscriber got
	 * its job. As long is the event itself kept.
	 * @param dedupeRetention 1 to 2 days; default 1 day
	 * @return this builder
	 */
	public WorkhorseBuilder eventDedupeRetention(Duration dedupeRetention) {
		this.retention = new RetentionSettings(this.retention.succeeded(), this.retention.failed(),
				this.retention.cancelled(), dedupeRetention, this.retention.interval());
		return this;
	}

	/**
	 * Choose how often is looked for expired keys and finished jobs to remove.
	 * @param interval 1 ms to 365 days; default 1 minute
	 * @return this builder
	 */
	public WorkhorseBuilder maintenanceInterval(Duration interval) {
		this.retention = new RetentionSettings(this.retention.succeeded(), this.retention.failed(),
				this.retention.cancelled(), this.retention.events(), interval);
		return this;
	}

	/**
	 * Choose the threads that handlers run on, for example virtual ones.
	 * @param handlerThreads makes the threads; default: daemon platform threads
	 * @return this builder
	 */
	public WorkhorseBuilder handlerThreads(ThreadFactory handlerThreads) {
		this.handlerThreads = handlerThreads;
		return this;
	}

	/**
	 * Put the parts together. Nothing touches the database yet.
	 * @return the job store
	 * @throws InvalidRequestException if a setting is out of its bounds
	 * @throws IllegalStateException if two handlers have the same type
	 */
	public Workhorse build() {
		return new Workhorse(this);
	}

	EnqueueSettings enqueueSettings() {
		return new EnqueueSettings(this.idempotencyTtl, this.maxAttempts, this.retryPolicy, this.keyWait,
				this.maxPayloadBytes);
	}

	EventSettings eventSettings() {
		return new EventSettings(this.retention.events(), this.keyWait, this.maxPayloadBytes);
	}

	WorkerSettings workerSettings() {
		Map<String, QueueSettings> working = (!this.queues.isEmpty()) ? this.queues
				: Map.of(EnqueueOptions.DEFAULT_QUEUE, DEFAULT_QUEUE_SETTINGS);
		return new WorkerSettings(this.name, working, this.lease, this.pollInterval, this.handlerThreads);
	}

	HandlerRegistry knownHandlers() {
		return new HandlerRegistry(this.handlers);
	}

	HandlerRegistry allHandlers() {
		List<HandlerDefinition> all = new ArrayList<>(this.handlers);
		this.handlerSources.forEach((source) -> all.addAll(source.get()));
		return new HandlerRegistry(all);
	}

	HandlerTransactions handlerTransactions(HandlerRegistry handlers) {
		boolean needed = this.workerEnabled && handlers.isAnyTransactional();
		return new HandlerTransactions(
				(needed) ? this.transactionManager.get() : new JdbcTransactionManager(this.dataSource),
				this.dataSource);
	}

	RetentionSettings retentionSettings() {
		return this.retention;
	}

	DataSource workerDataSource() {
		return (this.workerDataSource != null) ? this.workerDataSource : this.dataSource;
	}

}
