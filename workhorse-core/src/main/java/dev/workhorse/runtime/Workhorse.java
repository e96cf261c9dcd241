package dev.workhorse.runtime;

import java.time.Duration;
import java.util.Map;

import javax.sql.DataSource;

import dev.workhorse.Queue;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.internal.conductor.PostgresConductor;
import dev.workhorse.internal.durable.Children;
import dev.workhorse.internal.durable.DurableExecution;
import dev.workhorse.internal.enqueue.PostgresQueue;
import dev.workhorse.internal.event.PostgresEvents;
import dev.workhorse.internal.event.PostgresSubscriptions;
import dev.workhorse.internal.job.JobReader;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.key.KeyWait;
import dev.workhorse.internal.maintenance.Maintenance;
import dev.workhorse.internal.operations.PostgresJobs;
import dev.workhorse.internal.schema.SchemaMigrator;
import dev.workhorse.internal.schema.SchemaValidator;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.internal.wakeup.Notifications;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.internal.worker.HandlerRegistry;
import dev.workhorse.internal.worker.WorkerPool;
import dev.workhorse.internal.worker.WorkerSettings;
import dev.workhorse.operations.Jobs;
import org.jspecify.annotations.Nullable;

/**
 * One job store and what works on it. Create it with {@link #builder(DataSource)}, bring
 * the schema up to date with {@link #prepareSchema()}, and {@link #start()} it to run
 * jobs. Accepting jobs works without a start, except that other nodes are then not told.
 */
public final class Workhorse {

	private static final Duration MAINTENANCE_PATIENCE = Duration.ofSeconds(5);

	private final WorkhorseBuilder configuration;

	private final WakeUps wakeUps = new WakeUps();

	private final Queue queue;

	private final Conductor conductor;

	private final Jobs jobs;

	private final DurableExecution durable;

	/**
	 * Held while it starts or stops, which may take as long as handlers may still run.
	 */
	private final Object lifecycle = new Object();

	private volatile HandlerRegistry handlers;

	private final Notifications notifications;

	private final WorkerSettings workerSettings;

	private final Maintenance maintenance;

	private final PostgresSubscriptions subscriptions;

	private volatile @Nullable WorkerPool pool;

	Workhorse(WorkhorseBuilder configuration) {
		this.configuration = configuration;
		String schema = configuration.schema;
		KeyHasher hasher = new KeyHasher(configuration.pepper);
		CallerTransaction transaction = new CallerTransaction(configuration.dataSource);
		this.queue = new PostgresQueue(transaction, schema, configuration.enqueueSettings(), configuration.codec,
				hasher, this.wakeUps, configuration.listener, configuration.interceptor);
		PostgresEvents events = new PostgresEvents(transaction, schema, configuration.eventSettings(),
				configuration.codec, hasher, this.wakeUps, configuration.listener, configuration.interceptor);
		this.conductor = new PostgresConductor(transaction, schema,
				new JobReader(configuration.enqueueSettings(), configuration.codec), hasher,
				new KeyWait(configuration.enqueueSettings().keyWait()), configuration.retentionSettings(), events,
				this.wakeUps, configuration.listener, configuration.interceptor);
		this.durable = new DurableExecution(transaction, schema, configuration.codec, configuration.maxPayloadBytes,
				new Children(transaction, schema, configuration.enqueueSettings(), configuration.codec, this.wakeUps,
						configuration.listener, configuration.interceptor));
		this.workerSettings = configuration.workerSettings();
		this.maintenance = new Maintenance(configuration.workerDataSource(), schema, configuration.retentionSettings(),
				configuration.listener);
		this.handlers = configuration.knownHandlers();
		this.jobs = new PostgresJobs(configuration.dataSource, schema, hasher, this.wakeUps,
				() -> this.handlers.cancelledRetention());
		this.notifications = new Notifications(configuration.workerDataSource(), schema, new LocalWorker());
		this.subscriptions = new PostgresSubscriptions(configuration.workerDataSource(), schema,
				configuration.enqueueSettings());
	}

	/**
	 * Begin to configure a job store.
	 * @param dataSource where the jobs are kept, and whose transactions are joined
	 * @return the builder
	 */
	public static WorkhorseBuilder builder(DataSource dataSource) {
		return new WorkhorseBuilder(dataSource);
	}

	/**
	 * Create, update or check the schema, as configured.
	 * @throws dev.workhorse.WorkhorseException if the database is no supported
	 * PostgreSQL, or its schema is not the one that is needed
	 */
	public void prepareSchema() {
		DataSource dataSource = this.configuration.dataSource;
		SchemaValidator validator = new SchemaValidator(dataSource, this.configuration.schema);
		switch (this.configuration.schemaMode) {
			case MIGRATE -> {
				validator.validateServer();
				new SchemaMigrator(dataSource, this.configuration.schema).migrate();
			}
			case VALIDATE -> {
				validator.validateServer();
				validator.validateSchema();
			}
			case NONE -> {
			}
		}
	}

	/**
	 * Accepts jobs.
	 * @return the queue
	 */
	public Queue queue() {
		return this.queue;
	}

	/**
	 * Invokes tasks and emits events.
	 * @return the conductor
	 */
	public Conductor conductor() {
		return this.conductor;
	}

	/**
	 * Looks at jobs.
	 * @return the operations
	 */
	public Jobs jobs() {
		return this.jobs;
	}

	/**
	 * Start to run jobs, if the worker is enabled, and to tell other nodes of new ones.
	 * Does nothing if it runs already. What its handlers subscribe to is declared in any
	 * case.
	 * @throws IllegalStateException if two handlers have the same type
	 */
	public void start() {
		synchronized (this.lifecycle) {
			if (this.pool == null) {
				begin();
			}
		}
	}

	private void begin() {
		WorkhorseBuilder configuration = this.configuration;
		this.handlers = configuration.allHandlers();
		this.subscriptions.declare(this.handlers.all());
		WorkerPool started = new WorkerPool(configuration.workerDataSource(), configuration.schema, this.workerSettings,
				this.handlers, configuration.handlerTransactions(this.handlers), configuration.codec, this.durable,
				this.wakeUps, configuration.listener, configuration.interceptor);
		this.pool = started;
		this.wakeUps.addListener(this.notifications);
		this.notifications.start(configuration.workerEnabled);
		this.maintenance.start();
		if (configuration.workerEnabled) {
			started.start();
		}
	}

	/**
	 * Stop running jobs: claim nothing more, let handlers finish within the grace period,
	 * give back what is left without costing it an attempt. Does nothing if it does not
	 * run.
	 * @param grace how long handlers may still run
	 */
	public void stop(Duration grace) {
		synchronized (this.lifecycle) {
			WorkerPool stopping = this.pool;
			if (stopping != null) {
				end(stopping, grace);
			}
		}
	}

	private void end(WorkerPool stopping, Duration grace) {
		this.maintenance.stop(MAINTENANCE_PATIENCE);
		if (this.configuration.workerEnabled) {
			stopping.stop(grace);
		}
		this.wakeUps.removeListener(this.notifications);
		this.notifications.stop();
		this.pool = null;
	}

	/**
	 * Whether it was started and has not stopped since.
	 * @return whether it runs
	 */
	public boolean isRunning() {
		return this.pool != null;
	}

	/**
	 * How the worker of this node is doing. Answers at once, also during a stop.
	 * @return the status
	 */
	public WorkerStatus workerStatus() {
		WorkerPool current = this.pool;
		boolean working = current != null && this.configuration.workerEnabled && current.isWorking();
		return new WorkerStatus(this.configuration.workerEnabled, working, this.notifications.isListening(),
				this.handlers.types(), (current != null) ? current.inHand() : Map.of(),
				(current != null) ? current.sinceClaim() : null, SchemaValidator.SCHEMA_VERSION);
	}

	/**
	 * The worker of this node, told what other nodes say.
	 */
	private final class LocalWorker implements WakeUps.Listener {

		@Override
		public void onReady(String queue) {
			WorkerPool current = Workhorse.this.pool;
			if (current != null) {
				current.onReady(queue);
			}
		}

		@Override
		public void onEvent() {
			WorkerPool current = Workhorse.this.pool;
			if (current != null) {
				current.onEvent();
			}
		}

	}

}
