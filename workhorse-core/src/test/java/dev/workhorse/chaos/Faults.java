package dev.workhorse.chaos;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.ChildJvm;
import dev.workhorse.testsupport.OwnPostgresServer;
import dev.workhorse.testsupport.TcpProxy;
import org.postgresql.PGConnection;

/**
 * Does harm to nodes, connections and the database, in an order that the seed decides.
 * Each kind comes up once before any comes twice.
 */
final class Faults {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/** How long is waited for a node to have jobs in hand. */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

	private static final String JOBS_IN_HAND = """
			select
			from workhorse.job_run
			join workhorse.worker on worker.id = job_run.worker
			where job_run.state = 'running'
			  and worker.name = ?
			""";

	private static final int SHORTEST_BREAK = 300;

	private static final int LONGEST_BREAK = 1_200;

	private final Random random;

	private final OwnPostgresServer server;

	private final TcpProxy proxy;

	private final String directUrl;

	private final String jdbcUrl;

	private final List<ChildJvm> nodes = new ArrayList<>();

	private final Map<ChildJvm, String> names = new HashMap<>();

	private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

	private final Deque<Kind> next = new ArrayDeque<>();

	/** What is put right later. */
	private final Queue<Repair> repairs = new PriorityQueue<>(Comparator.comparingLong(Repair::time));

	private final List<ChildJvm> paused = new ArrayList<>();

	private int started;

	private int cut;

	private long leasesLost;

	Faults(Random random, OwnPostgresServer server, TcpProxy proxy, String directUrl, int nodes) {
		this.random = random;
		this.server = server;
		this.proxy = proxy;
		this.directUrl = directUrl;
		this.jdbcUrl = proxy.jdbcUrl(directUrl);
		for (int i = 0; i < nodes; i++) {
			startNode();
		}
	}

	List<ChildJvm> nodes() {
		return this.nodes;
	}

	private void startNode() {
		String name = "node-" + ++this.started;
		ChildJvm node = ChaosWorker.start(this.jdbcUrl, name, ChaosWorker.Nature.WILD);
		this.names.put(node, name);
		this.nodes.add(node);
	}

	/**
	 * Inject faults for a while, then put everything right.
	 */
	void inject(Duration duration) {
		long end = System.nanoTime() + duration.toNanos();
		while (System.nanoTime() - end < 0 || this.counts.size() < Kind.values().length) {
			Kind kind = next();
			this.counts.merge(kind, 1, Integer::sum);
			inject(kind);
			waitFor(millis(SHORTEST_BREAK, LONGEST_BREAK));
		}
		while (!this.repairs.isEmpty()) {
			this.repairs.remove().action().run();
		}
		this.proxy.heal();
		Await.until("database answers", PATIENCE, this::answers);
	}

	/**
	 * How often each kind of fault was injected.
	 */
	Map<Kind, Integer> counts() {
		return this.counts;
	}

	private boolean answers() {
		try (Connection connection = DriverManager.getConnection(this.directUrl)) {
			return connection.isValid(1);
		}
		catch (SQLException ex) {
			return false;
		}
	}

	private Kind next() {
		if (this.next.isEmpty()) {
			List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
			Collections.shuffle(kinds, this.random);
			this.next.addAll(kinds);
		}
		return this.next.remove();
	}

	private Duration millis(int least, int most) {
		return Duration.ofMillis(this.random.nextInt(least, most));
	}

	private void waitFor(Duration duration) {
		long end = System.nanoTime() + duration.toNanos();
		while (System.nanoTime() - end < 0) {
			while (!this.repairs.isEmpty() && System.nanoTime() - this.repairs.element().time() >= 0) {
				this.repairs.remove().action().run();
			}
			LockSupport.parkNanos(5_000_000);
		}
	}

	private void repairIn(Duration delay, Runnable action) {
		this.repairs.add(new Repair(System.nanoTime() + delay.toNanos(), action));
	}

	private void inject(Kind kind) {
		switch (kind) {
			case KILL -> kill(this.random.nextInt(this.nodes.size()));
			case PAUSE -> pause(this.nodes.get(this.random.nextInt(this.nodes.size())));
			case CUT -> this.cut += this.proxy.cut();
			case REFUSE -> {
				this.cut += this.proxy.refuse();
				repairIn(millis(300, 1_500), this.proxy::heal);
			}
			case STALL -> {
				this.proxy.stall();
				repairIn(millis(500, (int) ChaosWorker.LEASE.toMillis() * 3 / 2), this.proxy::heal);
			}
			case LOSE_ANSWERS -> {
				this.proxy.mute();
				repairIn(millis(50, 500), this.proxy::heal);
			}
			case CRASH -> crash();
			case RESTART -> {
				this.server.stop();
				waitFor(millis(100, 1_500));
				this.server.start();
			}
		}
	}

	private void kill(int index) {
		ChildJvm victim = this.nodes.remove(index);
		this.paused.remove(victim);
		awaitJobsInHand(victim);
		countLost(victim);
		victim.close();
		startNode();
	}

	/**
	 * Pause a node at a moment when it has jobs in hand: killing an idle one does no
	 * harm.
	 */
	private void awaitJobsInHand(ChildJvm node) {
		long end = System.nanoTime() + LONGEST_WAIT.toNanos();
		node.pause();
		while (!hasJobs(Objects.requireNonNull(this.names.get(node))) && System.nanoTime() - end < 0) {
			node.resume();
			waitFor(Duration.ofMillis(50));
			node.pause();
		}
	}

	private boolean hasJobs(String name) {
		try (Connection connection = DriverManager.getConnection(this.directUrl);
				PreparedStatement statement = connection.prepareStatement(JOBS_IN_HAND)) {
			statement.setString(1, name);
			try (ResultSet row = statement.executeQuery()) {
				return row.next();
			}
		}
		catch (SQLException ex) {
			return false;
		}
	}

	private void pause(ChildJvm node) {
		if (this.paused.contains(node)) {
			return;
		}
		this.paused.add(node);
		node.pause();
		repairIn(ChaosWorker.LEASE.multipliedBy(3).dividedBy(2), () -> {
			if (this.paused.remove(node)) {
				node.resume();
			}
		});
	}

	private void crash() {
		Await.until("database answers", PATIENCE, this::answers);
		try (Connection connection = DriverManager.getConnection(this.directUrl)) {
			int pid = connection.unwrap(PGConnection.class).getBackendPID();
			new ProcessBuilder("kill", "-KILL", Integer.toString(pid)).start().waitFor();
		}
		catch (SQLException | IOException ex) {
			throw new IllegalStateException("No crash", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void countLost(ChildJvm node) {
		this.leasesLost += node.lines().stream().filter((line) -> line.startsWith("lost ")).count();
	}

	/**
	 * Kill all nodes.
	 */
	void close() {
		for (Iterator<ChildJvm> each = this.nodes.iterator(); each.hasNext();) {
			ChildJvm node = each.next();
			countLost(node);
			node.close();
			each.remove();
		}
	}

	@Override
	public String toString() {
		return "%s, %d nodes started, %d connections cut, %d leases lost".formatted(this.counts, this.started, this.cut,
				this.leasesLost);
	}

	/**
	 * The kinds of faults.
	 */
	enum Kind {

		/** Kill a node and start another. */
		KILL,

		/** Stop all threads of a node for longer than a lease. */
		PAUSE,

		/** Cut all connections. */
		CUT,

		/** Let nobody connect for a while. */
		REFUSE,

		/** Let nothing through for a while, sometimes for longer than a lease. */
		STALL,

		/** Let statements through, lose their answers, then cut. */
		LOSE_ANSWERS,

		/**
		 * Kill a session of the database, which then restarts all of them and recovers.
		 */
		CRASH,

		/** Restart the database. */
		RESTART

	}

	/**
	 * What is to be put right.
	 *
	 * @param time when, in terms of {@link System#nanoTime()}
	 * @param action how
	 */
	private record Repair(long time, Runnable action) {

	}

}
