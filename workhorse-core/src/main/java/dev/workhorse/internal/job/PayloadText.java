package dev.workhorse.internal.job;

import dev.workhorse.InvalidRequestException;
import dev.workhorse.internal.json.JsonCanonicalizer;
import dev.workhorse.payload.PayloadCodec;
import dev.workhorse.payload.PayloadTooDeepException;
import org.jspecify.annotations.Nullable;

/**
 * Writes payloads as JSON text and refuses what PostgreSQL cannot carry.
 */
public final class PayloadText {

	private final PayloadCodec codec;

	private final JsonCanonicalizer canonicalizer;

	public PayloadText(PayloadCodec codec, int maxBytes) {
		this.codec = codec;
		this.canonicalizer = new JsonCanonicalizer("payload", maxBytes);
	}

	/**
	 * Write a payload.
	 * @param payload the payload
	 * @return its JSON text, not yet checked
	 */
	public String write(@Nullable Object payload) {
		try {
			return this.codec.write(payload);
		}
		catch (PayloadTooDeepException ex) {
			InvalidRequestException invalid = new InvalidRequestException("payload",
					"JSON at most %,d levels deep".formatted(JsonCanonicalizer.MAX_DEPTH),
					"nested deeper, or containing itself");
			invalid.initCause(ex);
			throw invalid;
		}
	}

	/**
	 * Check a text and bring it into its canonical form.
	 * @param json the JSON text
	 * @return the canonical form
	 * @throws InvalidRequestException if PostgreSQL cannot carry it, or it is too large
	 */
	public String canonical(String json) {
		return this.canonicalizer.canonical(json);
	}

}
