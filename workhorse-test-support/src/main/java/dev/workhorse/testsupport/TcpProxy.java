package dev.workhorse.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands between clients and a server on this machine, to break what is between them: cut
 * connections, refuse new ones, hold everything back, or lose the server's answers.
 */
public final class TcpProxy implements AutoCloseable {

	private static final Pattern LOCATION = Pattern.compile("//[^/]*?:(\\d+)/");

	private final int target;

	private final ServerSocket server;

	private final Set<Link> links = ConcurrentHashMap.newKeySet();

	/** Guarded by this object's monitor, as well as the next two. */
	private boolean refusing;

	private boolean stalled;

	private boolean muted;

	private TcpProxy(int target) {
		this.target = target;
		try {
			this.server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start("accept", this::accept);
	}

	/**
	 * Begins to listen in front of a server.
	 * @param jdbcUrl the URL of a database on this machine, with a port
	 * @return the running proxy, to be closed by the test
	 */
	public static TcpProxy inFrontOf(String jdbcUrl) {
		Matcher location = LOCATION.matcher(jdbcUrl);
		if (!location.find()) {
			throw new IllegalArgumentException("No port in " + jdbcUrl);
		}
		return new TcpProxy(Integer.parseInt(location.group(1)));
	}

	/**
	 * Leads a URL through this proxy.
	 * @param jdbcUrl the URL of a database on the server behind it
	 * @return the same with the proxy's host and port
	 */
	public String jdbcUrl(String jdbcUrl) {
		return LOCATION.matcher(jdbcUrl)
			.replaceFirst(
					"//" + this.server.getInetAddress().getHostAddress() + ":" + this.server.getLocalPort() + "/");
	}

	/**
	 * How many connections go through it.
	 * @return the number
	 */
	public int connections() {
		return this.links.size();
	}

	/**
	 * Cuts all connections; new ones are accepted.
	 * @return how many were cut
	 */
	public int cut() {
		int cut = 0;
		for (Link link : this.links) {
			link.close();
			cut++;
		}
		return cut;
	}

	/**
	 * Cuts all connections, and new ones as soon as they are made, until {@link #heal()}.
	 * @return how many were cut
	 */
	public int refuse() {
		synchronized (this) {
			this.refusing = true;
		}
		return cut();
	}

	/**
	 * Holds back everything in both directions, without cutting anything, until
	 * {@link #heal()}.
	 */
	public synchronized void stall() {
		this.stalled = true;
	}

	/**
	 * Lets requests through and loses the answers to them, until {@link #heal()}, which
	 * cuts all connections.
	 */
	public synchronized void mute() {
		this.muted = true;
	}

	/**
	 * Lets everything through again.
	 */
	public void heal() {
		boolean lost;
		synchronized (this) {
			lost = this.muted;
			this.refusing = false;
			this.stalled = false;
			this.muted = false;
			notifyAll();
		}
		if (lost) {
			cut();
		}
	}

	@Override
	public void close() {
		closeQuietly(this.server);
		heal();
		cut();
	}

	private void accept() {
		while (!this.server.isClosed()) {
			try {
				Socket client = this.server.accept();
				if (isRefusing()) {
					closeQuietly(client);
				}
				else {
					connect(client);
				}
			}
			catch (IOException ex) {
				// closed, or the client has gone already
			}
		}
	}

	private synchronized boolean isRefusing() {
		return this.refusing;
	}

	private void connect(Socket client) {
		try {
			Link link = new Link(client, new Socket(InetAddress.getLoopbackAddress(), this.target));
			this.links.add(link);
			start("requests", () -> link.pump(client, link.server(), false));
			start("answers", () -> link.pump(link.server(), client, true));
			if (isRefusing()) {
				link.close();
			}
		}
		catch (IOException ex) {
			// the server is down
			closeQuietly(client);
		}
	}

	/**
	 * Wait while everything is held back.
	 * @return whether what was read is to be passed on
	 */
	private synchronized boolean pass(boolean answer) throws InterruptedException {
		while (this.stalled) {
			wait();
		}
		return !(answer && this.muted);
	}

	private static void start(String name, Runnable task) {
		Thread thread = new Thread(task, "tcp-proxy-" + name);
		thread.setDaemon(true);
		thread.start();
	}

	private static void closeQuietly(AutoCloseable closeable) {
		try {
			closeable.close();
		}
		catch (Exception ex) {
			// it is gone either way
		}
	}

	/**
	 * One connection through the proxy.
	 */
	private final class Link {

		private final Socket client;

		private final Socket server;

		Link(Socket client, Socket server) {
			this.client = client;
			this.server = server;
		}

		Socket server() {
			return this.server;
		}

		void pump(Socket from, Socket to, boolean answers) {
			byte[] buffer = new byte[16 * 1024];
			try {
				InputStream input = from.getInputStream();
				OutputStream output = to.getOutputStream();
				for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
					if (pass(answers)) {
						output.write(buffer, 0, read);
					}
				}
			}
			catch (IOException ex) {
				// cut on either side
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			close();
		}

		void close() {
			TcpProxy.this.links.remove(this);
			closeQuietly(this.client);
			closeQuietly(this.server);
		}

	}

}
