package dev.workhorse.operations;

import java.util.UUID;

/**
 * What became of a request to run a dead letter again.
 *
 * @param jobId the new job
 * @param created whether this request made it; otherwise an earlier one with the same
 * request id did
 */
public record Redrive(UUID jobId, boolean created) {

}
