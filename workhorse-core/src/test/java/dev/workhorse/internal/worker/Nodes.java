package dev.workhorse.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

import dev.workhorse.CoreDatabase;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.JobContext;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.runtime.WorkhorseBuilder;
import dev.workhorse.testsupport.Await;

/**
 * The nodes of one test, all in this JVM. Long enough leases for a busy machine, short
 * enough to wait for their end.
 */
final class Nodes implements AutoCloseable {

	static final Duration LEASE = Duration.ofSeconds(2);

	/** How long is waited for what should take no time. */
	static final Duration PATIENCE = Duration.ofSeconds(40);

	private final CoreDatabase database;

	private final List<Workhorse> running = new ArrayList<>();

	Nodes(CoreDatabase database) {
		this.database = database;
	}

	/**
	 * Start a node with a lease of two seconds that polls every 50 ms.
	 */
	Workhorse start(UnaryOperator<WorkhorseBuilder> customizer) {
		WorkhorseBuilder builder = this.database.builder().lease(LEASE).pollInterval(Duration.ofMillis(50));
		Workhorse node = customizer.apply(builder).build();
		node.start();
		this.running.add(node);
		return node;
	}

	JobDetails job(UUID id) {
		return this.database.builder().build().jobs().find(id).orElseThrow();
	}

	JobDetails await(UUID id, JobState state) {
		Await.value(state + " of job " + id, PATIENCE, () -> job(id), (job) -> job.state() == state);
		// the job and its errors are read one after the other
		return job(id);
	}

	/**
	 * Let real time pass, for example the length of a lease.
	 */
	static void pass(Duration duration) {
		long end = System.nanoTime() + duration.toNanos();
		while (System.nanoTime() - end < 0) {
			LockSupport.parkNanos(end - System.nanoTime());
		}
	}

	/**
	 * A handler that takes its payload as the declared type.
	 */
	@SuppressWarnings("unchecked")
	static <P> HandlerDefinition handling(String type, Class<P> payloadType, TypedHandler<P> handler) {
		return HandlerDefinition.of(type, payloadType, (payload, job) -> handler.handle((P) payload, job));
	}

	@Override
	public void close() {
		this.running.forEach((node) -> node.stop(Duration.ZERO));
		this.running.clear();
	}

	/**
	 * A handler that takes its payload as the declared type.
	 */
	@FunctionalInterface
	interface TypedHandler<P> {

		Object handle(P payload, JobContext job) throws Exception;

	}

}
