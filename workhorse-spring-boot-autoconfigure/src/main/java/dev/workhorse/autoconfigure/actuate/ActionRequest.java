package dev.workhorse.autoconfigure.actuate;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What somebody wants done, and who it is.
 *
 * @param action the action
 * @param by who
 * @param reason why
 * @param requestId identifies a redrive, {@code null} for the one of that dead letter
 * @param interrupt whether a cancelled handler is interrupted
 * @param digest the digest of a key
 */
record ActionRequest(String action, String by, String reason, @Nullable String requestId, boolean interrupt,
		@Nullable String digest) {

	private static final String UNKNOWN = "actuator";

	private static final String NO_REASON = "not given";

	static ActionRequest of(String action, @Nullable String by, @Nullable String reason, @Nullable String requestId,
			@Nullable Boolean interrupt, @Nullable String digest) {
		return new ActionRequest(action, Objects.requireNonNullElse(by, UNKNOWN),
				Objects.requireNonNullElse(reason, NO_REASON), requestId, Boolean.TRUE.equals(interrupt), digest);
	}

}
