package dev.workhorse;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The answer to an enqueue request.
 *
 * @param jobId the job that stands for the request: the new one, or the one that holds
 * the key
 * @param outcome what became of the request
 * @param reason why a debounced request was not taken, {@code null} for every outcome but
 * {@link EnqueueOutcome#NON_REPLACEABLE}
 */
public record EnqueueResult(UUID jobId, EnqueueOutcome outcome, @Nullable NonReplaceableReason reason) {

	/**
	 * Create an answer without a reason.
	 * @param jobId the job that stands for the request
	 * @param outcome what became of the request
	 */
	public EnqueueResult(UUID jobId, EnqueueOutcome outcome) {
		this(jobId, outcome, null);
	}

}
