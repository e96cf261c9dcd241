package dev.workhorse;

import java.util.UUID;

/**
 * The answer to an enqueue request.
 *
 * @param jobId the job that stands for the request: the new one, or the original of a
 * repeat
 * @param outcome what became of the request
 */
public record EnqueueResult(UUID jobId, EnqueueOutcome outcome) {

}
