package dev.workhorse.handler;

import java.time.Duration;

import dev.workhorse.Bounds;
import org.jspecify.annotations.Nullable;

/**
 * How long the finished jobs of one handler stay, instead of what is configured for all.
 * It counts from the end of a job and is fixed then: a later change is for jobs that end
 * later. Zero removes a job the next time that is cleaned up.
 *
 * @param succeeded how long succeeded jobs stay, or {@code null} for what is configured
 * @param failed how long dead letters stay, or {@code null} for what is configured
 * @param cancelled how long cancelled jobs stay, or {@code null} for what is configured
 */
public record HandlerRetention(@Nullable Duration succeeded, @Nullable Duration failed, @Nullable Duration cancelled) {

	/** What is configured for all. */
	public static final HandlerRetention CONFIGURED = new HandlerRetention(null, null, null);

	public HandlerRetention {
		check("succeededRetention", succeeded);
		check("failedRetention", failed);
		check("cancelledRetention", cancelled);
	}

	private static void check(String field, @Nullable Duration value) {
		if (value != null) {
			Bounds.retention(field, value);
		}
	}

}
