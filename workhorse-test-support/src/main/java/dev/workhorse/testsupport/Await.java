package dev.workhorse.testsupport;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Waits for something to become true and fails saying what did not.
 */
public final class Await {

	/**
	 * How long is waited where nothing else is said.
	 */
	public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

	private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

	private Await() {
	}

	/**
	 * Waits up to 10 seconds.
	 * @param description what is awaited, for the failure message
	 * @param condition asked until it is true
	 */
	public static void until(String description, BooleanSupplier condition) {
		until(description, DEFAULT_TIMEOUT, condition);
	}

	/**
	 * Waits until a condition is true.
	 * @param description what is awaited, for the failure message
	 * @param timeout how long at most
	 * @param condition asked until it is true
	 */
	public static void until(String description, Duration timeout, BooleanSupplier condition) {
		value(description, timeout, condition::getAsBoolean, (met) -> met);
	}

	/**
	 * Waits up to 10 seconds.
	 * @param <T> the type of the value
	 * @param description what is awaited, for the failure message
	 * @param supplier asked for the value
	 * @param accepted tells whether the value is the awaited one
	 * @return the accepted value
	 */
	public static <T extends @Nullable Object> T value(String description, Supplier<T> supplier,
			Predicate<T> accepted) {
		return value(description, DEFAULT_TIMEOUT, supplier, accepted);
	}

	/**
	 * Waits until a value is the awaited one.
	 * @param <T> the type of the value
	 * @param description what is awaited, for the failure message
	 * @param timeout how long at most
	 * @param supplier asked for the value
	 * @param accepted tells whether the value is the awaited one
	 * @return the accepted value
	 */
	public static <T extends @Nullable Object> T value(String description, Duration timeout, Supplier<T> supplier,
			Predicate<T> accepted) {
		long start = System.nanoTime();
		while (true) {
			T value = supplier.get();
			if (accepted.test(value)) {
				return value;
			}
			if (System.nanoTime() - start >= timeout.toNanos()) {
				throw new AssertionError("Not within " + timeout + ": " + description + "; last value: " + value);
			}
			if (Thread.currentThread().isInterrupted()) {
				throw new AssertionError("Interrupted while awaiting: " + description + "; last value: " + value);
			}
			LockSupport.parkNanos(PAUSE_NANOS);
		}
	}

}
