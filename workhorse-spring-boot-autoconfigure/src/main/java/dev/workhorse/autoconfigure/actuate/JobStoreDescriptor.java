package dev.workhorse.autoconfigure.actuate;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.LiveKey;
import dev.workhorse.operations.PausedQueue;
import dev.workhorse.operations.UnhandledType;
import dev.workhorse.operations.WorkerNode;
import dev.workhorse.runtime.WorkerStatus;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The job store as it is now.
 *
 * @param queues live jobs by queue and state
 * @param paused the paused queues
 * @param unhandled due jobs that no living node would take, of {@link Jobs#COUNT_LIMIT}
 * due jobs looked at
 * @param finished stored finished jobs by state
 * @param thisNode the worker of the node that answers
 * @param nodes all nodes that run jobs
 * @param keys held keys, the hundred that hold longest
 * @param sinceStartOfThisNode what the node that answers has counted since it started
 */
public record JobStoreDescriptor(Map<String, Map<String, CountDescriptor>> queues, List<PausedQueue> paused,
		List<UnhandledType> unhandled, Map<String, CountDescriptor> finished, ThisNodeDescriptor thisNode,
		List<WorkerNode> nodes, List<LiveKey> keys,
		CountsDescriptor sinceStartOfThisNode) implements OperationResponseBody {

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
