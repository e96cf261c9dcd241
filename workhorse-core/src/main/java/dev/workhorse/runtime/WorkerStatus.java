package dev.workhorse.runtime;

import java.util.Map;
import java.util.Set;

/**
 * How the worker of this node is doing.
 *
 * @param enabled whether this node is configured to run jobs
 * @param working whether it runs and its heartbeat reaches the database
 * @param listening whether hints of other nodes arrive; otherwise it polls only
 * @param types the job types this node handles
 * @param inHand the number of jobs claimed by this node and not yet ended, by queue
 */
public record WorkerStatus(boolean enabled, boolean working, boolean listening, Set<String> types,
		Map<String, Integer> inHand) {

}
