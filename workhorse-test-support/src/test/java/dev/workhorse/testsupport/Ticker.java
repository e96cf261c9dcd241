package dev.workhorse.testsupport;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Prints a greeting, then ticks: a JVM for {@link ChildJvmIntegrationTests}.
 */
public final class Ticker {

	private Ticker() {
	}

	public static void main(String[] args) {
		System.out.println(args[0] + " " + System.getenv("GREETED"));
		Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
		for (int i = 0; i < 6000; i++) {
			System.out.println("tick " + i);
			LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
		}
	}

}
