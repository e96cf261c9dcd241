package dev.workhorse.handler;

import org.jspecify.annotations.Nullable;

/**
 * What a checkpoint computes.
 *
 * @param <T> the type of the value
 * @param <X> what it may throw, which fails the attempt unless it is caught
 */
@FunctionalInterface
public interface CheckpointWork<T extends @Nullable Object, X extends Exception> {

	/**
	 * Compute the value.
	 * @return the value
	 * @throws X if it cannot be computed
	 */
	T run() throws X;

}
