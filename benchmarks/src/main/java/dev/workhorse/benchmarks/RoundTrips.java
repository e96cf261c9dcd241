package dev.workhorse.benchmarks;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;

import javax.net.SocketFactory;

/**
 * Counts how often the driver waited for an answer of the server. The driver creates it
 * by its name.
 */
public final class RoundTrips extends SocketFactory {

	private static final LongAdder made = new LongAdder();

	/**
	 * How many there were so far in this process.
	 */
	static long made() {
		return made.sum();
	}

	@Override
	public Socket createSocket() {
		return new CountedSocket();
	}

	@Override
	public Socket createSocket(String host, int port) throws IOException {
		throw new UnsupportedOperationException("The driver connects by itself");
	}

	@Override
	public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
		throw new UnsupportedOperationException("The driver connects by itself");
	}

	@Override
	public Socket createSocket(InetAddress host, int port) {
		throw new UnsupportedOperationException("The driver connects by itself");
	}

	@Override
	public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
		throw new UnsupportedOperationException("The driver connects by itself");
	}

	/**
	 * A socket whose first read after a write is a round trip.
	 */
	private static final class CountedSocket extends Socket {

		private volatile boolean asked;

		@Override
		public OutputStream getOutputStream() throws IOException {
			return new FilterOutputStream(super.getOutputStream()) {

				@Override
				public void write(int value) throws IOException {
					CountedSocket.this.asked = true;
					this.out.write(value);
				}

				@Override
				public void write(byte[] bytes, int offset, int length) throws IOException {
					CountedSocket.this.asked = true;
					this.out.write(bytes, offset, length);
				}

			};
		}

		@Override
		public InputStream getInputStream() throws IOException {
			return new FilterInputStream(super.getInputStream()) {

				@Override
				public int read() throws IOException {
					count();
					return super.read();
				}

				@Override
				public int read(byte[] bytes, int offset, int length) throws IOException {
					count();
					return super.read(bytes, offset, length);
				}

			};
		}

		private void count() {
			if (this.asked) {
				this.asked = false;
				made.increment();
			}
		}

	}

}
