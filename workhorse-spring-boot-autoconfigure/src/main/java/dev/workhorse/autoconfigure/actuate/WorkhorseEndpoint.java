package dev.workhorse.autoconfigure.actuate;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.LiveKey;
import dev.workhorse.operations.PausedQueue;
import dev.workhorse.operations.QueueCount;
import dev.workhorse.operations.UnhandledType;
import dev.workhorse.operations.WorkerNode;
import dev.workhorse.runtime.WorkerStatus;
import dev.workhorse.runtime.Workhorse;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@link Endpoint @Endpoint} that shows queues, workers and held keys. A key is shown by
 * its preview and digest only.
 */
@Endpoint(id = "workhorse")
public final class WorkhorseEndpoint {

	private static final int KEYS_SHOWN = 100;

	private final Workhorse workhorse;

	private final Jobs jobs;

	private final OutcomeCounts counts;

	WorkhorseEndpoint(Workhorse workhorse, Jobs jobs, OutcomeCounts counts) {
		this.workhorse = workhorse;
		this.jobs = jobs;
		this.counts = counts;
	}

	/**
	 * Look at the job store.
	 * @return what is in it now
	 */
	@ReadOperation
	public JobStoreDescriptor jobStore() {
		return new JobStoreDescriptor(queues(), this.jobs.pausedQueues(), this.jobs.unhandledTypes(), finished(),
				ThisNodeDescriptor.of(this.workhorse.workerStatus()), this.jobs.workers(),
				this.jobs.liveKeys(KEYS_SHOWN), new CountsDescriptor(this.counts.decisions(), this.counts.invokes(),
						this.counts.events(), this.counts.attempts()));
	}

	private Map<String, Map<String, Long>> queues() {
		Map<String, Map<String, Long>> queues = new TreeMap<>();
		for (QueueCount count : this.jobs.countLive()) {
			queues.computeIfAbsent(count.queue(), (queue) -> new TreeMap<>()).put(count.state().label(), count.jobs());
		}
		return queues;
	}

	private Map<String, Long> finished() {
		Map<String, Long> finished = new TreeMap<>();
		Map<JobState, Long> counted = this.jobs.countFinished();
		counted.forEach((state, count) -> finished.put(state.label(), count));
		return finished;
	}

	/**
	 * The job store as it is now.
	 *
	 * @param queues live jobs by queue and state, counted up to {@link Jobs#COUNT_LIMIT}
	 * @param paused the paused queues
	 * @param unhandled due jobs that no living node would take
	 * @param finished stored finished jobs by state, counted up to
	 * {@link Jobs#COUNT_LIMIT}
	 * @param thisNode the worker of the node that answers
	 * @param nodes all nodes that run jobs
	 * @param keys held keys, the latest hundred
	 * @param sinceStartOfThisNode what the node that answers has counted since it started
	 */
	public record JobStoreDescriptor(Map<String, Map<String, Long>> queues, List<PausedQueue> paused,
			List<UnhandledType> unhandled, Map<String, Long> finished, ThisNodeDescriptor thisNode,
			List<WorkerNode> nodes, List<LiveKey> keys,
			CountsDescriptor sinceStartOfThisNode) implements OperationResponseBody {

	}

	/**
	 * The worker of the node that answers.
	 *
	 * @param workerEnabled whether the node is configured to run jobs
	 * @param working whether it runs and its heartbeat reaches the database
	 * @param wakeUp {@code listening} to hints of other nodes, or {@code polling} only
	 * @param types the job types it handles
	 * @param inHand jobs claimed and not yet ended, by queue
	 */
	public record ThisNodeDescriptor(boolean workerEnabled, boolean working, String wakeUp, Set<String> types,
			Map<String, Integer> inHand) {

		static ThisNodeDescriptor of(WorkerStatus status) {
			return new ThisNodeDescriptor(status.enabled(), status.working(),
					(status.listening()) ? "listening" : "polling", new TreeSet<>(status.types()),
					new TreeMap<>(status.inHand()));
		}

	}

	/**
	 * Numbers of committed decisions and ended attempts.
	 *
	 * @param decisions decisions on enqueue requests by mode of the key and outcome
	 * @param invokes decisions on invokes by mode of the key and outcome
	 * @param events decisions on events by outcome
	 * @param attempts ended attempts by their end
	 */
	public record CountsDescriptor(Map<String, Map<String, Long>> decisions, Map<String, Map<String, Long>> invokes,
			Map<String, Long> events, Map<String, Long> attempts) {

	}

}
