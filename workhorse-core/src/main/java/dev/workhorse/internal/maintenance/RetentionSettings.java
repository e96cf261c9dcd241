package dev.workhorse.internal.maintenance;

import java.time.Duration;

import dev.workhorse.Bounds;
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

	/** The settings of an application that configures nothing. */
	public static final RetentionSettings DEFAULTS = new RetentionSettings(Duration.ofDays(1), Duration.ofDays(14),
			Duration.ofDays(1), Duration.ofDays(1), Duration.ofMinutes(1));

	public RetentionSettings {
		Bounds.retention("retention.succeeded", succeeded);
		Bounds.retention("retention.failed", failed);
		Bounds.retention("retention.cancelled", cancelled);
		Bounds.window("retention.interval", interval);
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
