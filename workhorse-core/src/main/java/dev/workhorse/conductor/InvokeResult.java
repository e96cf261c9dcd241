package dev.workhorse.conductor;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The answer to an invoke.
 *
 * @param jobId the execution that stands for the invoke, {@code null} for
 * {@link InvokeOutcome#THROTTLED} only
 * @param outcome what became of the invoke
 */
public record InvokeResult(@Nullable UUID jobId, InvokeOutcome outcome) {

}
