package dev.workhorse.benchmarks;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * A job queue on PostgreSQL, at the best settings we found for it.
 */
interface Contender extends AutoCloseable {

	/** How many handlers run at once. */
	int WORKERS = 16;

	String name();

	/**
	 * The settings, for people.
	 */
	String settings();

	/**
	 * Accept a job under a key that keeps a second one out, while the first exists.
	 */
	void enqueue(String key, Payload payload);

	/**
	 * Accept jobs in the largest batches it takes.
	 */
	void enqueueAll(List<Payload> payloads);

	/**
	 * Run jobs from now on.
	 * @param handler what each job does, told its number
	 * @param ended told the number of each job whose end is stored, or on its way
	 */
	void start(LongConsumer handler, LongConsumer ended);

	/**
	 * Run no more jobs.
	 */
	void stop();

	/**
	 * Forget all jobs.
	 */
	void truncate();

	@Override
	default void close() {
		stop();
	}

}
