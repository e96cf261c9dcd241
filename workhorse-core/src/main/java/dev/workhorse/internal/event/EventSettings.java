package dev.workhorse.internal.event;

import java.time.Duration;

import dev.workhorse.InvalidRequestException;
import dev.workhorse.internal.job.EnqueueSettings;
import org.jspecify.annotations.Nullable;

/**
 * Limits of events.
 *
 * @param dedupeRetention how long a dedupe key is remembered after its event was
 * dispatched
 * @param keyWait the longest wait for another transaction to decide about a key,
 * {@code null} for no limit
 * @param maxPayloadBytes the largest payload in bytes of JSON text
 */
public record EventSettings(Duration dedupeRetention, @Nullable Duration keyWait, int maxPayloadBytes) {

	/** How long a key is remembered unless configured otherwise. */
	public static final Duration DEFAULT_DEDUPE_RETENTION = Duration.ofDays(1);

	private static final Duration LONGEST = Duration.ofDays(2);

	/** The settings of an application that configures nothing. */
	public static final EventSettings DEFAULTS = new EventSettings(DEFAULT_DEDUPE_RETENTION, null,
			EnqueueSettings.DEFAULT_MAX_PAYLOAD_BYTES);

	public EventSettings {
		if (dedupeRetention.compareTo(DEFAULT_DEDUPE_RETENTION) < 0 || dedupeRetention.compareTo(LONGEST) > 0) {
			throw new InvalidRequestException("dedupeRetention", "1 to 2 days", dedupeRetention.toString());
		}
	}

}
