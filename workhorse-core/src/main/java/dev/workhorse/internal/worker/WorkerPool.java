package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import dev.workhorse.internal.durable.DurableExecution;
import dev.workhorse.internal.durable.FollowUps;
import dev.workhorse.internal.wakeup.WakeUps;
import dev.workhorse.observation.WorkhorseInterceptor;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.observation.WorkhorseListener.AttemptEnded;
import dev.workhorse.observation.WorkhorseListener.AttemptStarted;
import dev.workhorse.payload.PayloadCodec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Runs jobs on this node: a dispatcher for each queue, one completer, one heartbeat and
 * the housekeeping.
 */
public final class WorkerPool implements Observer, QueueDispatcher.Runner, WakeUps.Listener {

	private static final Logger logger = LoggerFactory.getLogger(WorkerPool.class);

	/** How long a stop waits for the database. */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	/** How long a stop waits for interrupted handlers and for each loop. */
	private static final Duration SIGN_OFF = Duration.ofSeconds(2);

	/** How long a handler whose time is over has to heed its interrupt. */
	private static final Duration INTERRUPTED = Duration.ofSeconds(1);

	private static final Duration STEP = Duration.ofMillis(10);

	private final UUID id = UUID.randomUUID();

	private final WorkerSettings settings;

	private final HandlerRegistry handlers;

	private final WakeUps wakeUps;

	private final WorkhorseListener listener;

	private final PostgresLeases leases;

	private final AttemptRunner runner;

	private final TransactionalRunner transactionalRunner;

	private final Map<Lease, Attempt> attempts = new ConcurrentHashMap<>();

	private final Map<String, QueueDispatcher> dispatchers = new LinkedHashMap<>();

	private final Completer completer;

	private final DurableExecution durable;

	private final ProgressWriter progress;

	private final LeaseRenewer renewer;

	private final Housekeeping housekeeping;

	private final EventDispatcher eventDispatcher;

	private final ExecutionTimeouts timeouts = new ExecutionTimeouts();

	/** Whether a dispatcher waits until more ends are stored. */
	private final AtomicBoolean heldBack = new AtomicBoolean();

	private volatile boolean running;

	/**
	 * Create a worker that does not run yet. It works once: after a stop create another.
	 * @param dataSource where its own connections come from
	 * @param schema the schema
	 * @param settings how it works
	 * @param handlers the handlers
	 * @param transactions what transactional handlers run in
	 * @param codec reads payloads
	 * @param durable what the steps of handlers need, and writes their results
	 * @param wakeUps hints of new work
	 * @param listener told what happened
	 * @param interceptor goes around the handlers
	 */
	public WorkerPool(DataSource dataSource, String schema, WorkerSettings settings, HandlerRegistry handlers,
			HandlerTransactions transactions, PayloadCodec codec, DurableExecution durable, WakeUps wakeUps,
			WorkhorseListener listener, WorkhorseInterceptor interceptor) {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		PostgresLeases leases = new PostgresLeases(jdbc, schema, settings.lease());
		this.leases = leases;
		this.settings = settings;
		this.handlers = handlers;
		this.wakeUps = wakeUps;
		this.listener = listener;
		this.durable = durable;
		this.progress = new ProgressWriter(jdbc, schema);
		this.runner = new AttemptRunner(codec, durable, interceptor);
		this.transactionalRunner = new TransactionalRunner(this.runner, transactions, schema, leases, this,
				this.progress);
		this.completer = new Completer(new PostgresSettlements(jdbc, schema), leases, this, this.progress);
		this.renewer = new LeaseRenewer(this.id, settings, leases, handlers.types(), this::attemptsToRenew, this);
		this.eventDispatcher = new EventDispatcher(new PostgresDispatch(jdbc, schema), wakeUps,
				() -> onScheduled(Duration.ZERO));
		this.housekeeping = new Housekeeping(settings, new PostgresPromotion(jdbc, schema), leases,
				new FollowUps(dataSource, schema), this.renewer::isSteady, this::found, this.eventDispatcher::wake);
		LimitedClaims limitedClaims = new LimitedClaims(jdbc, schema, leases);
		settings.queues()
			.keySet()
			.forEach((queue) -> this.dispatchers.put(queue, new QueueDispatcher(queue, this.id, settings, leases,
					limitedClaims, handlers, (claimed) -> claimed(queue, claimed), this)));
	}

	/**
	 * Start working.
	 */
	public void start() {
		this.running = true;
		this.renewer.start();
		this.completer.start();
		this.progress.start();
		this.housekeeping.start();
		this.wakeUps.addListener(this);
		this.eventDispatcher.start();
		this.dispatchers.values().forEach(QueueDispatcher::start);
		logger.info("Working on queues {} for job types {}", this.settings.queues(), this.handlers.types());
	}

	/**
	 * Stop: claim nothing more, give back what has not begun, let handlers finish within
	 * the grace period, then give back what is left without costing it an attempt. Takes
	 * at the most some seconds longer than the grace period, even without a database.
	 * @param grace how long handlers may still run
	 */
	public void stop(Duration grace) {
		long deadline = System.nanoTime() + grace.toNanos();
		this.running = false;
		this.wakeUps.removeListener(this);
		this.eventDispatcher.stop();
		this.dispatchers.values().forEach(QueueDispatcher::stop);
		releaseBuffered();
		long patience = System.nanoTime() + PATIENCE.toNanos();
		this.eventDispatcher.stop(patience);
		this.dispatchers.values().forEach((dispatcher) -> dispatcher.stop(patience));
		awaitEmpty(deadline);
		giveBack(grace);
		this.timeouts.stop();
		this.housekeeping.stop(System.nanoTime() + SIGN_OFF.toNanos());
		this.progress.stop(System.nanoTime() + SIGN_OFF.toNanos());
		this.completer.stop(System.nanoTime() + SIGN_OFF.toNanos());
		this.renewer.stop(System.nanoTime() + SIGN_OFF.toNanos());
	}

	private void giveBack(Duration grace) {
		List<Attempt> left = this.attempts.values().stream().filter(Attempt::end).toList();
		if (!left.isEmpty()) {
			logger.warn("Giving back {} jobs that did not end within {}", left.size(), grace);
			left.forEach(this::release);
		}
		awaitEmpty(System.nanoTime() + PATIENCE.toNanos());
		this.dispatchers.values().forEach(QueueDispatcher::interrupt);
		try {
			for (QueueDispatcher dispatcher : this.dispatchers.values()) {
				dispatcher.awaitHandlers(System.nanoTime() + SIGN_OFF.toNanos());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void awaitEmpty(long deadline) {
		while (!this.attempts.isEmpty() && System.nanoTime() - deadline < 0
				&& !Thread.currentThread().isInterrupted()) {
			releaseBuffered();
			LockSupport.parkNanos(STEP.toNanos());
		}
	}

	private void releaseBuffered() {
		this.attempts.values().stream().filter(Attempt::endUnlessBegun).forEach(this::release);
	}

	/**
	 * What has been waiting for a handler thread for as long as a heartbeat is given
	 * back: the handlers have become slower since it was claimed, and another node may be
	 * free.
	 */
	private List<Attempt> attemptsToRenew() {
		this.attempts.values()
			.stream()
			.filter((attempt) -> attempt.waitsLongerThan(this.settings.heartbeat()))
			.filter(Attempt::endUnlessBegun)
			.forEach(this::release);
		return List.copyOf(this.attempts.values());
	}

	private List<Attempt> claimed(String queue, List<ClaimedJob> claimed) {
		List<Attempt> begun = new ArrayList<>(claimed.size());
		for (ClaimedJob job : claimed) {
			begun.add(new Attempt(job, Objects.requireNonNull(this.handlers.find(job.type())), this.durable,
					this.progress));
		}
		begun.forEach((attempt) -> this.attempts.put(attempt.lease(), attempt));
		this.listener.onClaim(queue, begun.size());
		return begun;
	}

	@Override
	public boolean run(Attempt attempt) {
		if (!attempt.begin()) {
			return false;
		}
		Duration timeout = attempt.job().limits().timeout();
		Future<?> watch = (timeout != null) ? this.timeouts.after(timeout, () -> timeOut(attempt, timeout)) : null;
		LoggingContext logging = LoggingContext.of(attempt);
		this.listener.onAttemptStart(new AttemptStarted(attempt.jobId(), attempt.queue(), attempt.type(),
				attempt.attempt(), attempt.waited()));
		long start = System.nanoTime();
		attempt.enter();
		@Nullable Settlement settlement;
		try (logging) {
			settlement = (attempt.definition().transactional()) ? this.transactionalRunner.run(attempt)
					: this.runner.run(attempt);
		}
		finally {
			attempt.leave();
			if (watch != null) {
				watch.cancel(false);
			}
		}
		if (settlement != null && attempt.end()) {
			this.completer.settle(settlement);
		}
		else if (timeout != null && attempt.hasTimedOut()) {
			returnedLate(attempt, Duration.ofNanos(System.nanoTime() - start).minus(timeout));
		}
		else if (settlement != null) {
			logger.info("The handler returned after {} when its attempt was over; refused: {}", settlement.duration(),
					attempt);
		}
		return true;
	}

	/**
	 * The attempt is over; its thread stays taken until the handler returns.
	 */
	private void timeOut(Attempt attempt, Duration timeout) {
		if (attempt.timeOut()) {
			this.listener.onTimeout(attempt.jobId(), attempt.queue(), attempt.type());
			this.completer.settle(this.runner.timedOut(attempt, timeout));
			attempt.interrupt();
			Future<?> unused = this.timeouts.after(INTERRUPTED, () -> {
				if (attempt.isOnThread()) {
					logger.warn("The handler ignores that it was interrupted, and keeps its slot of queue '{}' until "
							+ "it returns: {}", attempt.queue(), attempt);
				}
			});
		}
	}

	private void returnedLate(Attempt attempt, Duration late) {
		logger.info("The handler returned {} after its timeout and frees its slot; refused: {}", late, attempt);
		this.listener.onLateReturn(attempt.jobId(), attempt.queue(), attempt.type(), late);
	}

	@Override
	public void reject(Attempt attempt) {
		if (attempt.endUnlessBegun()) {
			release(attempt);
		}
	}

	private void release(Attempt attempt) {
		this.completer.settle(Settlement.released(attempt));
	}

	@Override
	public void settled(Settlement settlement) {
		Attempt attempt = settlement.attempt();
		this.attempts.remove(attempt.lease());
		wakeAfter(settlement);
		int number = (settlement.end() == Settlement.End.NOT_RUN) ? settlement.countedAttempts() : attempt.attempt();
		this.listener.onAttemptEnd(new AttemptEnded(attempt.jobId(), attempt.queue(), attempt.type(), number,
				settlement.end().label(), settlement.duration()));
	}

	private void wakeAfter(Settlement settlement) {
		String queue = settlement.attempt().queue();
		switch (settlement.end()) {
			case RETRIED -> this.wakeUps.accepted(queue, settlement.delay().toMillis());
			case RELEASED -> this.wakeUps.accepted(queue, 0);
			case SUSPENDED -> this.housekeeping.scheduled(settlement.delay());
			default -> {
			}
		}
		QueueSettings limits = this.settings.queues().get(queue);
		if (limits != null && limits.perKey() != null && settlement.end() != Settlement.End.RETRIED) {
			// there is room for another job of its group, perhaps on another node
			this.wakeUps.accepted(queue, 0);
		}
		if (isFollowedUp(settlement)) {
			this.housekeeping.scheduled(Duration.ZERO);
		}
	}

	private static boolean isFollowedUp(Settlement settlement) {
		return settlement.end() == Settlement.End.CANCELLED
				|| (settlement.end().isFinal() && settlement.attempt().job().origin().parentId() != null);
	}

	@Override
	public void stored(int attempts) {
		if (attempts > 0) {
			this.listener.onSettle(attempts);
		}
		if (this.heldBack.getAndSet(false)) {
			this.dispatchers.values().forEach(QueueDispatcher::wake);
		}
	}

	@Override
	public boolean isBehind() {
		if (!this.completer.isBehind()) {
			return false;
		}
		// looked at again, since nobody would wake a dispatcher after the last end
		this.heldBack.set(true);
		return this.completer.isBehind();
	}

	@Override
	public void leaseLost(Attempt attempt) {
		this.attempts.remove(attempt.lease());
		if (attempt.isLeaseLost()) {
			return;
		}
		if (isSuperseded(attempt)) {
			supersede(attempt);
		}
		else if (attempt.loseLease()) {
			logger.info("Lease lost, what it writes is refused: {}", attempt);
			this.listener.onLeaseLost(attempt.jobId(), attempt.queue(), attempt.type());
		}
	}

	private boolean isSuperseded(Attempt attempt) {
		try {
			return this.leases.isSuperseded(attempt.jobId());
		}
		catch (DataAccessException ex) {
			logger.debug("Could not look why the lease is lost: {}", attempt, ex);
			return false;
		}
	}

	private void supersede(Attempt attempt) {
		attempt.supersede();
		if (attempt.loseLease()) {
			logger.info("Superseded, what it writes is refused: {}", attempt);
		}
	}

	@Override
	public void onSuperseded(UUID jobId) {
		// its children may be to be cancelled
		this.housekeeping.scheduled(Duration.ZERO);
		this.attempts.values().stream().filter((attempt) -> attempt.jobId().equals(jobId)).forEach((attempt) -> {
			this.attempts.remove(attempt.lease());
			supersede(attempt);
		});
	}

	@Override
	public void cancelRequested(Attempt attempt, boolean interrupt) {
		if (attempt.cancel()) {
			logger.info("To be cancelled: {}", attempt);
			if (interrupt) {
				attempt.interrupt();
			}
		}
	}

	/**
	 * Housekeeping has found work for a queue that perhaps only other nodes work on.
	 */
	private void found(String queue) {
		if (this.dispatchers.containsKey(queue)) {
			onReady(queue);
		}
		else {
			this.wakeUps.accepted(queue, 0);
		}
	}

	@Override
	public void onReady(String queue) {
		QueueDispatcher dispatcher = this.dispatchers.get(queue);
		if (dispatcher != null) {
			dispatcher.wake();
		}
	}

	@Override
	public void onScheduled(Duration delay) {
		this.housekeeping.scheduled(delay);
	}

	@Override
	public void onEvent() {
		this.eventDispatcher.wake();
	}

	/**
	 * Whether the worker runs and its heartbeat reaches the database.
	 * @return whether it is working
	 */
	public boolean isWorking() {
		return this.running && this.renewer.isBeating();
	}

	/**
	 * How long ago a look for jobs last succeeded, whether it found any or not.
	 * @return the time, or {@code null} if none has succeeded yet
	 */
	public @Nullable Duration sinceClaim() {
		return this.dispatchers.values()
			.stream()
			.map(QueueDispatcher::sinceClaim)
			.filter(Objects::nonNull)
			.min(Comparator.naturalOrder())
			.orElse(null);
	}

	/**
	 * How many jobs of each queue are claimed by this node and not yet ended.
	 * @return the number by queue
	 */
	public Map<String, Integer> inHand() {
		Map<String, Integer> numbers = new LinkedHashMap<>();
		this.dispatchers.forEach((queue, dispatcher) -> numbers.put(queue, dispatcher.inHand()));
		return numbers;
	}

}
