package dev.workhorse.internal.enqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import dev.workhorse.EnqueueKey;
import dev.workhorse.KeyMode;
import dev.workhorse.internal.job.JobDefinition;
import dev.workhorse.internal.key.KeyDigest;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.key.KeySpace;
import dev.workhorse.testsupport.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for how requests that come in at the same time are brought together.
 */
class RequestGroupsTests {

	private static final int LANES = 2;

	private final ExecutorService callers = Executors.newCachedThreadPool();

	private final CountDownLatch go = new CountDownLatch(1);

	private final List<List<JobRequest>> sent = new CopyOnWriteArrayList<>();

	private final Map<JobRequest, Thread> alone = new ConcurrentHashMap<>();

	private final Set<KeyDigest> held = ConcurrentHashMap.newKeySet();

	private Predicate<JobRequest> accepts = (request) -> true;

	private final RequestGroups groups = groups(Duration.ofMinutes(1));

	@AfterEach
	void stop() {
		this.callers.shutdownNow();
	}

	@Test
	void whoComesAloneGoesAloneOnItsOwnThread() {
		JobRequest request = request("a");
		assertThat(this.groups.decide(request).result().jobId()).isEqualTo(request.id());
		assertThat(this.alone).containsOnly(Map.entry(request, Thread.currentThread()));
		assertThat(this.sent).isEmpty();
	}

	@Test
	void whatComesInMeanwhileGoesTogether() throws Exception {
		block();
		List<JobRequest> requests = List.of(request("a"), request("b"), request(null), request(null));
		List<Future<Decision>> decisions = decideAll(requests);
		this.go.countDown();
		for (int i = 0; i < requests.size(); i++) {
			assertThat(decisions.get(i).get(5, TimeUnit.SECONDS).result().jobId()).isEqualTo(requests.get(i).id());
		}
		assertThat(this.sent).hasSize(1);
		assertThat(this.sent.get(0)).containsExactlyElementsOf(requests);
		assertThat(this.alone.keySet()).doesNotContainAnyElementsOf(requests);
	}

	@Test
	void noKeyComesTwiceIntoAGroup() throws Exception {
		block();
		JobRequest first = request("same");
		JobRequest second = request("same");
		JobRequest other = request("other");
		List<Future<Decision>> decisions = decideAll(List.of(first, second, other));
		this.go.countDown();
		for (Future<Decision> decision : decisions) {
			decision.get(5, TimeUnit.SECONDS);
		}
		assertThat(this.sent).hasSize(1);
		assertThat(this.sent.get(0)).containsExactly(first, other);
		assertThat(this.alone).containsKey(second);
	}

	@Test
	void keyThatIsHeldByNowWaitsForNobody() throws Exception {
		block();
		JobRequest repeat = request("repeat");
		List<JobRequest> others = List.of(request("a"), request("b"));
		List<Future<Decision>> decisions = decideAll(List.of(others.get(0), repeat, others.get(1)));
		this.held.add(repeat.key().digest());
		this.go.countDown();
		for (Future<Decision> decision : decisions) {
			decision.get(5, TimeUnit.SECONDS);
		}
		assertThat(this.sent.get(0)).containsExactlyElementsOf(others);
		assertThat(this.alone).containsKey(repeat);
	}

	@Test
	void whatTheGroupLeavesUndecidedIsDecidedAlone() throws Exception {
		block();
		JobRequest taken = request("taken");
		JobRequest free = request("free");
		this.accepts = (request) -> !request.equals(taken);
		List<Future<Decision>> decisions = decideAll(List.of(free, taken));
		this.go.countDown();
		assertThat(decisions.get(0).get(5, TimeUnit.SECONDS).result().jobId()).isEqualTo(free.id());
		assertThat(decisions.get(1).get(5, TimeUnit.SECONDS).result().jobId()).isEqualTo(taken.id());
		assertThat(this.alone).containsKey(taken).doesNotContainKey(free);
	}

	@Test
	void failureIsToldToEachAndTheNextGroupGoes() throws Exception {
		block();
		this.accepts = (request) -> {
			throw new IllegalStateException("database away");
		};
		List<Future<Decision>> decisions = decideAll(List.of(request("a"), request("b")));
		this.go.countDown();
		for (Future<Decision> decision : decisions) {
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> decision.get(5, TimeUnit.SECONDS))
				.withMessageContaining("database away");
		}
		JobRequest next = request("next");
		assertThat(this.groups.decide(next).result().jobId()).isEqualTo(next.id());
	}

	@Test
	void failureOfOneAloneLetsOthersGo() {
		for (int i = 0; i < 2 * LANES; i++) {
			JobRequest failing = request("failing-" + i);
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.groups.decide(failing));
		}
		assertThat(this.groups.decide(request("next"))).isNotNull();
	}

	@Test
	void nobodyWaitsForThoseWhoAreStuck() throws Exception {
		RequestGroups groups = groups(RequestGroups.OVERDUE);
		block(groups);
		for (int round = 0; round < 20; round++) {
			List<Future<Decision>> decisions = new ArrayList<>();
			for (int i = 0; i < 5; i++) {
				JobRequest request = request(round + "-" + i);
				decisions.add(this.callers.submit(() -> groups.decide(request)));
			}
			for (Future<Decision> decision : decisions) {
				decision.get(5, TimeUnit.SECONDS);
			}
		}
		assertThat(this.go.getCount()).as("those who are stuck still are").isOne();
	}

	@Test
	void interruptedCallerGetsItsDecisionAndStaysInterrupted() throws Exception {
		block();
		AtomicReference<Thread> caller = new AtomicReference<>();
		JobRequest request = request("interrupted");
		Future<Boolean> interrupted = this.callers.submit(() -> {
			caller.set(Thread.currentThread());
			this.groups.decide(request);
			return Thread.currentThread().isInterrupted();
		});
		awaitWaiting(caller);
		caller.get().interrupt();
		this.go.countDown();
		assertThat(interrupted.get(5, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void largePayloadsEndAGroup() throws Exception {
		block();
		String large = "\"" + "x".repeat(600_000) + "\"";
		List<JobRequest> requests = List.of(request(null, large), request(null, large), request(null, large));
		List<Future<Decision>> decisions = decideAll(requests);
		this.go.countDown();
		for (Future<Decision> decision : decisions) {
			decision.get(5, TimeUnit.SECONDS);
		}
		assertThat(this.sent.get(0)).containsExactlyElementsOf(requests.subList(0, 2));
	}

	@Test
	void everyRequestIsDecidedOnceUnderLoad() throws Exception {
		List<Future<Integer>> running = new ArrayList<>();
		Set<UUID> decided = ConcurrentHashMap.newKeySet();
		for (int thread = 0; thread < 32; thread++) {
			running.add(this.callers.submit(() -> {
				for (int i = 0; i < 2_000; i++) {
					JobRequest request = request((i % 3 == 0) ? "key-" + i : null);
					assertThat(this.groups.decide(request).result().jobId()).isEqualTo(request.id());
					decided.add(request.id());
				}
				return 0;
			}));
		}
		for (Future<Integer> thread : running) {
			thread.get(60, TimeUnit.SECONDS);
		}
		assertThat(decided).hasSize(32 * 2_000);
		assertThat(this.sent).isNotEmpty().allSatisfy((group) -> assertThat(group).hasSizeBetween(2, 100));
	}

	/**
	 * Have as many on their way as may be, until it is said to go on.
	 */
	private void block() {
		block(this.groups);
	}

	private void block(RequestGroups groups) {
		for (int i = 0; i < LANES; i++) {
			JobRequest blocked = request("blocked-" + i);
			Future<Decision> unused = this.callers.submit(() -> groups.decide(blocked));
			Await.until("on its way", () -> this.alone.containsKey(blocked));
		}
	}

	/** One after the other, so that they wait in this order. */
	private List<Future<Decision>> decideAll(List<JobRequest> requests) {
		List<Future<Decision>> decisions = new ArrayList<>();
		for (JobRequest request : requests) {
			AtomicReference<Thread> caller = new AtomicReference<>();
			decisions.add(this.callers.submit(() -> {
				caller.set(Thread.currentThread());
				return this.groups.decide(request);
			}));
			awaitWaiting(caller);
		}
		return decisions;
	}

	private static void awaitWaiting(AtomicReference<Thread> caller) {
		Await.until("waits", () -> caller.get() != null && caller.get().getState() == Thread.State.TIMED_WAITING);
	}

	private RequestGroups groups(Duration overdue) {
		return new RequestGroups(this::together, this::alone, this.held::contains, overdue);
	}

	private Map<UUID, Decision> together(List<JobRequest> requests) {
		this.sent.add(requests);
		Map<UUID, Decision> decisions = new HashMap<>();
		requests.stream()
			.filter((request) -> this.accepts.test(request))
			.forEach((request) -> decisions.put(request.id(), Decision.accepted(request.id(), 0)));
		return decisions;
	}

	private Decision alone(JobRequest request) {
		this.alone.put(request, Thread.currentThread());
		if (request.key() != null && request.key().key().value().startsWith("blocked")) {
			try {
				this.go.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
		else if (request.key() != null && request.key().key().value().startsWith("failing")) {
			throw new IllegalStateException("refused");
		}
		return Decision.accepted(request.id(), 0);
	}

	private static JobRequest request(String key) {
		return request(key, "1");
	}

	private static JobRequest request(String key, String payload) {
		JobDefinition definition = new JobDefinition("default", "type", payload, 0, null, null, List.of(), 25,
				"polynomial", null, null, List.of());
		KeyBinding binding = null;
		if (key != null) {
			EnqueueKey given = EnqueueKey.of(key);
			binding = new KeyBinding(given, new KeyHasher(null).digest(KeySpace.ENQUEUE, given), KeyMode.IDEMPOTENCY,
					Duration.ofDays(1).toMillis(), null);
		}
		return new JobRequest(UUID.randomUUID(), definition, binding, null, null);
	}

}
