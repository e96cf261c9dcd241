package dev.workhorse.internal.wakeup;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hints between nodes by {@code NOTIFY}. Sent on a connection of the library's own after
 * the commit, since a notification inside the caller's transaction would serialise
 * commits; several for one queue become one. Received by {@code LISTEN} where the
 * connection allows it.
 */
public final class Notifications implements WakeUps.Listener {

	private static final Logger logger = LoggerFactory.getLogger(Notifications.class);

	private static final Duration COALESCE = Duration.ofMillis(5);

	private static final Duration RETRY = Duration.ofSeconds(5);

	private static final int LISTEN_MILLIS = 200;

	private static final long STOP_MILLIS = 2_000;

	/** Stands for events where a queue is named; no queue is called so. */
	private static final String EVENTS = "";

	private final DataSource dataSource;

	private final String channel;

	private final WakeUps.Listener local;

	private final String sender = UUID.randomUUID().toString();

	private final Set<String> pending = ConcurrentHashMap.newKeySet();

	private final Semaphore signal = new Semaphore(0);

	private volatile boolean running;

	private volatile boolean listening;

	private @Nullable Thread sending;

	private @Nullable Thread receiving;

	/**
	 * Create the sender and receiver of hints.
	 * @param dataSource where their connections come from
	 * @param channel the channel, a plain identifier
	 * @param local told what other nodes say
	 */
	public Notifications(DataSource dataSource, String channel, WakeUps.Listener local) {
		this.dataSource = dataSource;
		this.channel = channel;
		this.local = local;
	}

	/**
	 * Start sending, and receiving if this node works.
	 * @param receive whether to listen
	 */
	public synchronized void start(boolean receive) {
		this.running = true;
		this.sending = start("notifier", this::send);
		this.receiving = (receive) ? start("listener", this::receive) : null;
	}

	private static Thread start(String name, Runnable loop) {
		Thread thread = new Thread(loop, "workhorse-" + name);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	/**
	 * Stop both and wait for them.
	 */
	public synchronized void stop() {
		this.running = false;
		this.signal.release();
		join(this.sending);
		join(this.receiving);
	}

	private static void join(@Nullable Thread thread) {
		if (thread == null) {
			return;
		}
		try {
			thread.join(STOP_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		thread.interrupt();
	}

	/**
	 * Whether hints of other nodes arrive; otherwise polling alone finds their jobs.
	 * @return whether this node listens
	 */
	public boolean isListening() {
		return this.listening;
	}

	@Override
	public void onReady(String queue) {
		if (this.pending.add(queue)) {
			this.signal.release();
		}
	}

	@Override
	public void onEvent() {
		onReady(EVENTS);
	}

	private void send() {
		while (this.running) {
			try {
				this.signal.acquire();
				this.signal.drainPermits();
				Set<String> queues = Set.copyOf(this.pending);
				this.pending.removeAll(queues);
				notify(queues);
				TimeUnit.NANOSECONDS.sleep(COALESCE.toNanos());
			}
			catch (InterruptedException ex) {
				return;
			}
		}
		notify(Set.copyOf(this.pending));
	}

	private void notify(Set<String> queues) {
		if (queues.isEmpty()) {
			return;
		}
		try (Connection connection = this.dataSource.getConnection();
				var statement = connection.prepareStatement("select pg_notify(?, ? || unnest(?))")) {
			statement.setString(1, this.channel);
			statement.setString(2, this.sender + " ");
			statement.setArray(3, connection.createArrayOf("text", queues.toArray()));
			statement.execute();
			if (!connection.getAutoCommit()) {
				connection.commit();
			}
		}
		catch (SQLException | RuntimeException ex) {
			logger.debug("Could not notify the other nodes; they will find the jobs by polling", ex);
		}
	}

	private void receive() {
		boolean failing = false;
		while (this.running) {
			try (Connection connection = this.dataSource.getConnection()) {
				connection.setAutoCommit(true);
				listen(connection, connection.unwrap(PGConnection.class));
			}
			catch (SQLException | RuntimeException ex) {
				if (this.running && (this.listening || !failing)) {
					logger.info("Cannot listen for new jobs and polls instead; tries again: {}", ex.getMessage());
				}
				failing = true;
			}
			this.listening = false;
			if (this.running) {
				pause();
			}
		}
	}

	private void listen(Connection connection, PGConnection postgres) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute("listen " + this.channel);
			this.listening = true;
			try {
				forward(postgres);
			}
			finally {
				// a pool does not see what fails beneath it and would hand a broken
				// connection to the next caller; it does see this fail
				statement.execute("unlisten " + this.channel);
			}
		}
	}

	private void forward(PGConnection postgres) throws SQLException {
		while (this.running) {
			PGNotification[] received = postgres.getNotifications(LISTEN_MILLIS);
			if (received != null) {
				for (PGNotification notification : received) {
					receive(notification.getParameter());
				}
			}
		}
	}

	private void receive(String message) {
		int space = message.indexOf(' ');
		if (space < 0 || message.startsWith(this.sender)) {
			return;
		}
		String queue = message.substring(space + 1);
		if (queue.equals(EVENTS)) {
			this.local.onEvent();
		}
		else {
			this.local.onReady(queue);
		}
	}

	private void pause() {
		try {
			TimeUnit.NANOSECONDS.sleep(RETRY.toNanos());
		}
		catch (InterruptedException ex) {
			this.running = false;
		}
	}

}
