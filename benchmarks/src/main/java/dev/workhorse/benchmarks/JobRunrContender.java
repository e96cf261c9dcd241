package dev.workhorse.benchmarks;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.LongConsumer;

import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;
import org.jspecify.annotations.Nullable;

/**
 * JobRunr. It makes handlers itself, so what they do is kept in a static field.
 */
final class JobRunrContender implements Contender {

	/** It allows no shorter one. */
	private static final Duration POLL = Duration.ofSeconds(5);

	private static volatile LongConsumer handler = (number) -> {
	};

	private static volatile LongConsumer ended = (number) -> {
	};

	private final BenchmarkDatabase database;

	private final JsonMapper mapper = new JacksonJsonMapper();

	private final PostgresStorageProvider storage;

	private final JobRequestScheduler scheduler;

	private @Nullable BackgroundJobServer server;

	JobRunrContender(BenchmarkDatabase database) {
		this.database = database;
		this.storage = new PostgresStorageProvider(database.pool(WORKERS + 4));
		this.storage.setJobMapper(new JobMapper(this.mapper));
		this.scheduler = new JobRequestScheduler(this.storage);
	}

	@Override
	public String name() {
		return "JobRunr";
	}

	@Override
	public String settings() {
		return "%d workers, a pool of %d, poll interval %d s (its shortest), job requests (no lambdas)"
			.formatted(WORKERS, WORKERS + 4, POLL.toSeconds());
	}

	@Override
	public void enqueue(String key, Payload payload) {
		this.scheduler.enqueue(UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)),
				new Request(payload.number(), payload.text()));
	}

	@Override
	public void enqueueAll(List<Payload> payloads) {
		this.scheduler.enqueue(payloads.stream().map((payload) -> new Request(payload.number(), payload.text())));
	}

	@Override
	public void start(LongConsumer handling, LongConsumer ending) {
		handler = handling;
		ended = ending;
		BackgroundJobServerConfiguration configuration = BackgroundJobServerConfiguration
			.usingStandardBackgroundJobServerConfiguration()
			.andWorkerCount(WORKERS)
			.andPollInterval(POLL);
		BackgroundJobServer started = new BackgroundJobServer(this.storage, this.mapper, new JobActivator() {
			@Override
			public <T> T activateJob(Class<T> type) {
				return type.cast(new RequestHandler());
			}
		}, configuration);
		started.start();
		this.server = started;
	}

	@Override
	public void stop() {
		if (this.server != null) {
			this.server.stop();
			this.server = null;
		}
	}

	@Override
	public void truncate() {
		this.database.jdbc().execute("truncate jobrunr_jobs");
	}

	/**
	 * A job as JobRunr takes it.
	 *
	 * @param number the number of the job
	 * @param text the rest of its bytes
	 */
	public record Request(long number, String text) implements JobRequest {

		@Override
		public Class<RequestHandler> getJobRequestHandler() {
			return RequestHandler.class;
		}

	}

	/**
	 * The handler.
	 */
	public static final class RequestHandler implements JobRequestHandler<Request> {

		@Override
		public void run(Request request) {
			handler.accept(request.number());
			ended.accept(1);
		}

	}

}
