package dev.workhorse.internal.maintenance;

import java.time.Duration;

import dev.workhorse.Bounds;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.operations.JobState;

/**
 * How long finished jobs stay.
 *
 * @param succeeded how long succeeded jobs stay
 * @param failed how long failed jobs stay
 * @param cancelled how long cancelled jobs stay
 * @param events how long dispatched events stay
 * @param interval how often is looked for what is over
 */
public record RetentionSettings(Duration succeeded, Duration failed, Duration cancelled, Duration events,
		Duration interval) {

	// first, since the defaults are checked against it
	private static final Duration LONGEST = Duration.ofDays(3_650);

	/** The settings of an application that configures nothing. */
	public static final RetentionSettings DEFAULTS = new RetentionSettings(Duration.ofDays(1), Duration.ofDays(14),
			Duration.ofDays(1), Duration.ofDays(1), Duration.ofMinutes(1));

	public RetentionSettings {
		check("retention.succeeded", succeeded);
		check("retention.failed", failed);
		check("retention.cancelled", cancelled);
		Bounds.window("retention.interval", interval);
	}

	private static void check(String field, Duration value) {
		if (value.isNegative() || value.compareTo(LONGEST) > 0) {
			throw new InvalidRequestException(field, "0 to 3,650 days", value.toString());
		}
	}

	Duration of(JobState state) {
		return switch (state) {
			case SUCCEEDED -> this.succeeded;
			case FAILED -> this.failed;
			case CANCELLED -> this.cancelled;
			default -> throw new IllegalArgumentException("Not finished: " + state);
		};
	}

}
