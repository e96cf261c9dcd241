package dev.workhorse.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.LongConsumer;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.event.AbstractSchedulerListener;
import com.github.kagkarlsson.scheduler.serializer.JacksonSerializer;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

/**
 * db-scheduler.
 */
final class DbSchedulerContender implements Contender {

	private static final String TABLE = """
			create table if not exists scheduled_tasks (
			  task_name text not null,
			  task_instance text not null,
			  task_data bytea,
			  execution_time timestamptz not null,
			  picked boolean not null,
			  picked_by text,
			  last_success timestamptz,
			  last_failure timestamptz,
			  consecutive_failures int,
			  last_heartbeat timestamptz,
			  version bigint not null,
			  priority smallint,
			  primary key (task_name, task_instance)
			);
			create index if not exists execution_time_idx on scheduled_tasks (execution_time);
			create index if not exists last_heartbeat_idx on scheduled_tasks (last_heartbeat);
			""";

	private static final double LOWER = 1;

	private static final double UPPER = 20;

	private static final Duration POLL = Duration.ofMillis(100);

	private final BenchmarkDatabase database;

	private final SchedulerClient client;

	private volatile LongConsumer handler = (number) -> {
	};

	private final OneTimeTask<Payload> task = Tasks.oneTime("benchmark", Payload.class)
		.execute((instance, context) -> this.handler.accept(instance.getData().number()));

	private @Nullable HikariDataSource pool;

	private @Nullable Scheduler scheduler;

	DbSchedulerContender(BenchmarkDatabase database) {
		this.database = database;
		database.jdbc().execute(TABLE);
		this.client = SchedulerClient.Builder.create(database.pool(WORKERS), List.of(this.task))
			.serializer(new JacksonSerializer())
			.build();
	}

	@Override
	public String name() {
		return "db-scheduler";
	}

	@Override
	public String settings() {
		return "`pollUsingLockAndFetch(%.0f, %.0f)`, %d threads, a pool of %d, poll interval %d ms, immediate execution"
			.formatted(LOWER, UPPER, WORKERS, WORKERS + 4, POLL.toMillis());
	}

	private TaskInstance<Payload> instance(String key, Payload payload) {
		return this.task.instance(key, payload);
	}

	@Override
	public void enqueue(String key, Payload payload) {
		Scheduler running = this.scheduler;
		SchedulerClient through = (running != null) ? running : this.client;
		through.scheduleIfNotExists(instance(key, payload), Instant.now());
	}

	@Override
	public void enqueueAll(List<Payload> payloads) {
		for (int first = 0; first < payloads.size(); first += 1_000) {
			Instant now = Instant.now();
			List<TaskInstance<?>> instances = payloads.subList(first, Math.min(payloads.size(), first + 1_000))
				.stream()
				.<TaskInstance<?>>map((payload) -> instance("job-" + payload.number(), payload))
				.toList();
			this.client.scheduleBatch(instances, now);
		}
	}

	@Override
	public void start(LongConsumer handling, LongConsumer ended) {
		this.handler = handling;
		HikariDataSource opened = this.database.pool(WORKERS + 4);
		this.pool = opened;
		Scheduler started = Scheduler.create(opened, this.task)
			.threads(WORKERS)
			.pollUsingLockAndFetch(LOWER, UPPER)
			.pollingInterval(POLL)
			.enableImmediateExecution()
			.serializer(new JacksonSerializer())
			.addSchedulerListener(new AbstractSchedulerListener() {
				@Override
				public void onExecutionComplete(ExecutionComplete executionComplete) {
					ended.accept(1);
				}
			})
			.build();
		started.start();
		this.scheduler = started;
	}

	@Override
	public void stop() {
		if (this.scheduler != null) {
			this.scheduler.stop();
			this.scheduler = null;
		}
		if (this.pool != null) {
			this.pool.close();
			this.pool = null;
		}
	}

	@Override
	public void truncate() {
		this.database.jdbc().execute("truncate scheduled_tasks");
	}

}
