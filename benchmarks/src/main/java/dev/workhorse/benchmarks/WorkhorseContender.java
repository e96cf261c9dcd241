package dev.workhorse.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongConsumer;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueRequest;
import dev.workhorse.Queue;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.runtime.Workhorse;
import org.jspecify.annotations.Nullable;

/**
 * Workhorse as the starter sets it up.
 */
final class WorkhorseContender implements Contender {

	static final String TYPE = "benchmark";

	private static final int BATCH = 1_000;

	private final BenchmarkDatabase database;

	private final HikariDataSource acceptingPool;

	/** Accepts, as a node without a worker does. */
	private final Workhorse accepting;

	private final List<HikariDataSource> pools = new ArrayList<>();

	private @Nullable Workhorse node;

	WorkhorseContender(BenchmarkDatabase database) {
		this.database = database;
		this.acceptingPool = database.pool(WORKERS);
		this.accepting = Workhorse.builder(this.acceptingPool).workerEnabled(false).build();
		this.accepting.start();
	}

	/**
	 * Work until as many jobs have ended.
	 * @return how many that is a second
	 */
	static double rate(BenchmarkDatabase database, int jobs) throws InterruptedException {
		CountDownLatch done = new CountDownLatch(jobs);
		try (Contender workhorse = new WorkhorseContender(database)) {
			long start = System.nanoTime();
			workhorse.start((number) -> {
			}, (ended) -> done.countDown());
			done.await();
			return jobs / ((System.nanoTime() - start) / 1e9);
		}
	}

	private Queue queue() {
		Workhorse working = this.node;
		return ((working != null) ? working : this.accepting).queue();
	}

	@Override
	public String name() {
		return "Workhorse";
	}

	@Override
	public String settings() {
		return "its defaults, " + WORKERS + " handlers, a worker pool of 5 connections with the planner settings of the"
				+ " starter";
	}

	@Override
	public void enqueue(String key, Payload payload) {
		queue().enqueue(TYPE, payload, EnqueueOptions.idempotencyKey(key));
	}

	@Override
	public void enqueueAll(List<Payload> payloads) {
		for (int first = 0; first < payloads.size(); first += BATCH) {
			List<EnqueueRequest> requests = new ArrayList<>(BATCH);
			for (Payload payload : payloads.subList(first, Math.min(payloads.size(), first + BATCH))) {
				requests.add(new EnqueueRequest(TYPE, payload));
			}
			queue().enqueueAll(requests);
		}
	}

	@Override
	public void start(LongConsumer handler, LongConsumer ended) {
		HikariDataSource pool = this.database.pool(WORKERS);
		HikariDataSource workerPool = this.database.workerPool();
		this.pools.addAll(List.of(pool, workerPool));
		Workhorse started = Workhorse.builder(pool)
			.workerDataSource(workerPool)
			.workOn(EnqueueOptions.DEFAULT_QUEUE, WORKERS)
			.maintenanceInterval(Duration.ofDays(1))
			.listener(new WorkhorseListener() {
				@Override
				public void onAttemptEnd(AttemptEnded end) {
					ended.accept(1);
				}
			})
			.handler(HandlerDefinition.of(TYPE, Payload.class, (payload, context) -> {
				handler.accept(((Payload) Objects.requireNonNull(payload)).number());
				return null;
			}))
			.build();
		started.start();
		this.node = started;
	}

	@Override
	public void stop() {
		if (this.node != null) {
			this.node.stop(Duration.ofSeconds(10));
			this.node = null;
		}
		this.pools.forEach(HikariDataSource::close);
		this.pools.clear();
	}

	@Override
	public void close() {
		stop();
		this.accepting.stop(Duration.ofSeconds(1));
		this.acceptingPool.close();
	}

	@Override
	public void truncate() {
		this.database.truncate();
	}

}
