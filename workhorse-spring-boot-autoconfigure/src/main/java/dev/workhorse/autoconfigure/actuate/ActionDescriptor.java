package dev.workhorse.autoconfigure.actuate;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What became of an action.
 *
 * @param action the action
 * @param outcome what became of it
 * @param by who is noted to have done it
 * @param jobId the new job of a redrive
 * @param jobs how many jobs a purge removed
 */
public record ActionDescriptor(String action, String outcome, String by, @Nullable UUID jobId,
		@Nullable Long jobs) implements OperationResponseBody {

}
