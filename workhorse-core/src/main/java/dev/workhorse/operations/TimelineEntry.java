package dev.workhorse.operations;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One thing that happened to a job or its key.
 *
 * @param at when
 * @param kind what: {@code accepted}, {@code replaced}, {@code running},
 * {@code attempt-failed}, {@code attempt-released}, {@code lease-expired},
 * {@code run-now}, {@code key-released}, {@code cancel-requested}, {@code cancelled},
 * {@code redriven}, {@code purged}, {@code succeeded} or {@code failed}
 * @param attempt the attempt it belongs to, {@code null} if none
 * @param by who did it, {@code null} if no person did
 * @param reason why, or the error of an attempt, {@code null} if there is none
 */
public record TimelineEntry(Instant at, String kind, @Nullable Integer attempt, @Nullable String by,
		@Nullable String reason) {

}
