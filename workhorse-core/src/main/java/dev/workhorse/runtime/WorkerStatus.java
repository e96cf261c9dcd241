package dev.workhorse.runtime;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * How the worker of this node is doing.
 *
 * @param enabled whether this node is configured to run jobs
 * @param working whether it runs and its heartbeat reaches the database
 * @param listening whether hints of other nodes arrive; otherwise it polls only
 * @param types the job types this node handles
 * @param inHand the number of jobs claimed by this node and not yet ended, by queue
 * @param sinceClaim how long ago this node last looked for jobs and got an answer,
 * {@code null} if it never has
 * @param schemaVersion the version of the schema this node works with
 */
public record WorkerStatus(boolean enabled, boolean working, boolean listening, Set<String> types,
		Map<String, Integer> inHand, @Nullable Duration sinceClaim, int schemaVersion) {

}
