package dev.workhorse.internal.enqueue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;

import dev.workhorse.internal.key.KeyDigest;
import org.jspecify.annotations.Nullable;

/**
 * Brings requests together that come in at the same time, each outside a transaction:
 * while two groups are on their way, what comes in gathers, and then goes in one
 * statement and one commit, sent by the thread of one of them. Who comes alone goes
 * alone, at once. What a group leaves undecided is decided alone.
 */
final class RequestGroups {

	/** While one waits for its commit there is time for another. */
	private static final int MOST_ON_THEIR_WAY = 2;

	private static final int MOST_MEMBERS = 100;

	/** A group ends with the payload that goes beyond. */
	private static final int MOST_CHARACTERS = 1_000_000;

	/** A group that takes longer is waiting for somebody, and nobody waits for it. */
	static final Duration OVERDUE = Duration.ofMillis(20);

	private final Function<List<JobRequest>, Map<UUID, Decision>> together;

	private final Function<JobRequest, Decision> alone;

	private final Predicate<KeyDigest> repeated;

	private final Duration overdue;

	private final ReentrantLock lock = new ReentrantLock();

	private final Deque<Member> waiting = new ArrayDeque<>();

	private final Set<Group> onTheirWay = new HashSet<>();

	/**
	 * Create groups.
	 * @param together decides what it can of several requests with different keys, by the
	 * ids of their jobs; what it throws is thrown to each of them
	 * @param alone decides one request
	 * @param repeated whether a key is likely held by now, so that its request needs no
	 * group
	 * @param overdue after which time nobody waits for a group any more
	 */
	RequestGroups(Function<List<JobRequest>, Map<UUID, Decision>> together, Function<JobRequest, Decision> alone,
			Predicate<KeyDigest> repeated, Duration overdue) {
		this.together = together;
		this.alone = alone;
		this.repeated = repeated;
		this.overdue = overdue;
	}

	/**
	 * Decide a request.
	 */
	Decision decide(JobRequest request) {
		Member member = new Member(request);
		Group group = enter(member);
		while (group == null) {
			group = (member.awaitTurn(this.overdue)) ? member.turn.join() : takeOver(member);
		}
		if (group.members.size() == 1) {
			try {
				return this.alone.apply(request);
			}
			finally {
				arrived(group);
			}
		}
		if (group != Group.NONE) {
			send(group);
		}
		Decision decision = member.decision();
		return (decision != null) ? decision : this.alone.apply(request);
	}

	/**
	 * Go at once, if there is room, or wait.
	 */
	private @Nullable Group enter(Member member) {
		this.lock.lock();
		try {
			if (isRoom()) {
				return depart(List.of(member));
			}
			this.waiting.add(member);
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Go after a long wait, if there is room by now and the turn has not just come.
	 */
	private @Nullable Group takeOver(Member member) {
		this.lock.lock();
		try {
			return (isRoom() && this.waiting.remove(member)) ? depart(List.of(member)) : null;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isRoom() {
		long now = System.nanoTime();
		this.onTheirWay.removeIf((group) -> now - group.departed > this.overdue.toNanos());
		return this.onTheirWay.size() < MOST_ON_THEIR_WAY;
	}

	private Group depart(List<Member> members) {
		Group group = new Group(members);
		this.onTheirWay.add(group);
		return group;
	}

	private void send(Group group) {
		try {
			Map<UUID, Decision> decisions = this.together.apply(group.members.stream().map(Member::request).toList());
			group.members.forEach((member) -> member.decision = decisions.get(member.request.id()));
		}
		catch (RuntimeException | Error ex) {
			group.members.forEach((member) -> member.failure = ex);
		}
		finally {
			arrived(group);
			group.members.forEach((member) -> member.turn.complete(Group.NONE));
		}
	}

	/**
	 * Let those go that have gathered.
	 */
	private void arrived(Group group) {
		List<Member> next = new ArrayList<>();
		List<Member> repeats = new ArrayList<>();
		this.lock.lock();
		try {
			this.onTheirWay.remove(group);
			if (isRoom()) {
				gather(next, repeats);
			}
			if (!next.isEmpty()) {
				// whoever is first sends it
				next.get(0).turn.complete(depart(next));
			}
		}
		finally {
			this.lock.unlock();
			repeats.forEach((member) -> member.turn.complete(Group.NONE));
		}
	}

	/**
	 * Take those whose turn it is. No key comes twice into a group: the second finds it
	 * held afterwards.
	 */
	private void gather(List<Member> next, List<Member> repeats) {
		Set<KeyDigest> keys = new HashSet<>();
		long characters = 0;
		Iterator<Member> members = this.waiting.iterator();
		while (members.hasNext() && next.size() < MOST_MEMBERS && characters < MOST_CHARACTERS) {
			Member member = members.next();
			KeyBinding key = member.request.key();
			if (key != null && this.repeated.test(key.digest())) {
				repeats.add(member);
				members.remove();
			}
			else if (key == null || keys.add(key.digest())) {
				next.add(member);
				characters += member.request.definition().payload().length();
				members.remove();
			}
		}
	}

	/**
	 * Requests that are sent together.
	 */
	private static final class Group {

		/** Told to whom there is nothing to wait for, and nothing to send. */
		private static final Group NONE = new Group(List.of());

		private final List<Member> members;

		private final long departed = System.nanoTime();

		private Group(List<Member> members) {
			this.members = members;
		}

	}

	/**
	 * A request and the thread that waits for its decision.
	 */
	private static final class Member {

		private final JobRequest request;

		private final CompletableFuture<Group> turn = new CompletableFuture<>();

		private volatile @Nullable Decision decision;

		private volatile @Nullable Throwable failure;

		private Member(JobRequest request) {
			this.request = request;
		}

		private JobRequest request() {
			return this.request;
		}

		/**
		 * Wait for the turn. Whoever interrupts the thread meets it again afterwards, as
		 * in a statement.
		 * @return whether the turn has come
		 */
		private boolean awaitTurn(Duration patience) {
			boolean interrupted = Thread.interrupted();
			try {
				this.turn.get(patience.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException | ExecutionException ex) {
				return false;
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
			finally {
				if (interrupted) {
					Thread.currentThread().interrupt();
				}
			}
			return this.turn.isDone();
		}

		private @Nullable Decision decision() {
			Throwable failure = this.failure;
			if (failure instanceof Error error) {
				throw error;
			}
			if (failure instanceof RuntimeException exception) {
				throw exception;
			}
			return this.decision;
		}

	}

}
