package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Claims the jobs of one queue in batches sized to what its handlers can take, and hands
 * them to the handler threads. Jobs that are over in no time are claimed ahead, so that a
 * batch is worth its round trip; slow ones are not.
 */
final class QueueDispatcher {

	/** How much work may wait in memory behind the running handlers. */
	private static final Duration PREFETCHED_WORK = Duration.ofMillis(50);

	private static final int MOST_PREFETCHED = 500;

	/**
	 * Smaller claims begin at the start, so that slow handlers get jobs in strict order.
	 */
	private static final int LARGE_CLAIM = 100;

	/**
	 * How long large claims go on behind one another before the next begins at the start,
	 * and finds what has come in before: a higher priority, a retry, a row that was
	 * locked.
	 */
	private static final Duration GOES_ON = Duration.ofMillis(200);

	private final String queue;

	private final QueueSettings limits;

	private final int slots;

	private final UUID worker;

	private final WorkerSettings settings;

	private final PostgresLeases leases;

	private final LimitedClaims limitedClaims;

	private final HandlerRegistry handlers;

	private final Function<List<ClaimedJob>, List<Attempt>> onClaim;

	private final Runner runner;

	private final ThreadPoolExecutor executor;

	private final AtomicInteger inHand = new AtomicInteger();

	/** Behind which the next large claim begins. Only the loop's thread uses it. */
	private ClaimPlace place = ClaimPlace.START;

	/** When a claim last began at the start. */
	private long begunAtStart = System.nanoTime();

	/** When a claim last succeeded, by Java's clock, which only measures. */
	private volatile @Nullable Long claimedAt;

	private final HandlerSpeed speed = new HandlerSpeed();

	private final Loop loop;

	QueueDispatcher(String queue, UUID worker, WorkerSettings settings, PostgresLeases leases,
			LimitedClaims limitedClaims, HandlerRegistry handlers, Function<List<ClaimedJob>, List<Attempt>> onClaim,
			Runner runner) {
		this.queue = queue;
		this.limits = Objects.requireNonNull(settings.queues().get(queue));
		this.slots = this.limits.concurrency();
		this.worker = worker;
		this.settings = settings;
		this.leases = leases;
		this.limitedClaims = limitedClaims;
		this.handlers = handlers;
		this.onClaim = onClaim;
		this.runner = runner;
		this.executor = new ThreadPoolExecutor(this.slots, this.slots, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				settings.handlerThreads());
		this.loop = new Loop("dispatcher-" + queue, false, this::round);
	}

	void start() {
		this.loop.start();
	}

	void wake() {
		this.loop.wake();
	}

	/**
	 * Claim nothing more.
	 */
	void stop() {
		this.loop.stop();
	}

	/**
	 * Claim nothing more, and wait for a claim that is under way.
	 */
	void stop(long deadline) {
		this.loop.stop(deadline);
		this.executor.shutdown();
	}

	/**
	 * Interrupt the handlers that still run, and give them time to leave.
	 */
	void interrupt() {
		this.executor.shutdownNow();
	}

	/**
	 * Wait until no handler runs.
	 */
	void awaitHandlers(long deadline) throws InterruptedException {
		this.executor.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
	}

	/**
	 * How many jobs are claimed and not yet ended.
	 */
	int inHand() {
		return this.inHand.get();
	}

	/**
	 * How long ago a claim last succeeded, {@code null} if none has.
	 */
	@Nullable Duration sinceClaim() {
		Long last = this.claimedAt;
		return (last != null) ? Duration.ofNanos(System.nanoTime() - last) : null;
	}

	private Duration round() {
		Set<String> types = this.handlers.types();
		// what is claimed counts against a limit, so nothing is claimed ahead
		int prefetch = (this.limits.isLimited()) ? 0
				: this.speed.jobsWithin(PREFETCHED_WORK, this.slots, MOST_PREFETCHED);
		int free = this.slots + prefetch - this.inHand.get();
		if (types.isEmpty() || free <= prefetch / 2 || this.runner.isBehind()) {
			return this.settings.pollInterval();
		}
		boolean goesOn = goesOn(free);
		List<ClaimedJob> jobs = claim(types, free, goesOn);
		this.claimedAt = System.nanoTime();
		if (!jobs.isEmpty()) {
			this.inHand.addAndGet(jobs.size());
			this.onClaim.apply(jobs).forEach(this::execute);
		}
		return (goesOn || jobs.size() == free) ? Duration.ZERO : this.settings.pollInterval();
	}

	private boolean goesOn(int free) {
		return !this.place.equals(ClaimPlace.START) && free >= LARGE_CLAIM
				&& System.nanoTime() - this.begunAtStart < GOES_ON.toNanos();
	}

	private List<ClaimedJob> claim(Set<String> types, int free, boolean goesOn) {
		if (this.limits.isLimited()) {
			return this.limitedClaims.claim(this.worker, this.queue, this.limits, types, free);
		}
		if (!goesOn) {
			this.begunAtStart = System.nanoTime();
		}
		PostgresLeases.Claim claim = this.leases.claim(this.worker, this.queue, types, free,
				(goesOn) ? this.place : ClaimPlace.START);
		this.place = (claim.jobs().size() == free) ? claim.last() : ClaimPlace.START;
		return claim.jobs();
	}

	private void execute(Attempt attempt) {
		try {
			this.executor.execute(() -> run(attempt));
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			// a claim that outlived the stop, or no thread to be had
			this.inHand.decrementAndGet();
			this.runner.reject(attempt);
		}
	}

	private void run(Attempt attempt) {
		long start = System.nanoTime();
		boolean ran = false;
		try {
			ran = this.runner.run(attempt);
		}
		finally {
			if (ran) {
				this.speed.record(System.nanoTime() - start);
			}
			this.inHand.decrementAndGet();
			this.loop.wake();
		}
	}

	/**
	 * What is done with claimed attempts.
	 */
	interface Runner {

		/**
		 * Run an attempt on this thread.
		 * @return whether it was run
		 */
		boolean run(Attempt attempt);

		/**
		 * Whether nothing more is to be claimed until more ends are stored.
		 */
		boolean isBehind();

		/**
		 * There is no thread for an attempt.
		 */
		void reject(Attempt attempt);

	}

}
