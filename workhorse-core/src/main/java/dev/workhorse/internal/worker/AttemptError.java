package dev.workhorse.internal.worker;

import java.io.PrintWriter;
import java.io.StringWriter;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.workhorse.Bounds;
import org.jspecify.annotations.Nullable;

/**
 * An error as it is kept with an attempt: type, message and stack, each bounded and free
 * of what {@code jsonb} cannot carry.
 */
final class AttemptError {

	private static final int LONGEST_MESSAGE = 2_000;

	private static final int LONGEST_STACK = 8_000;

	private AttemptError() {
	}

	static String json(Throwable error) {
		return json(error.getClass().getName(), message(error), stack(error));
	}

	static String json(String type, @Nullable String message, @Nullable String stack) {
		return JsonNodeFactory.instance.objectNode()
			.put("type", storable(type, LONGEST_MESSAGE))
			.put("message", storable(message, LONGEST_MESSAGE))
			.put("stack", storable(stack, LONGEST_STACK))
			.toString();
	}

	// an exception's own methods are application code and may throw
	private static @Nullable String message(Throwable error) {
		try {
			return error.getMessage();
		}
		catch (RuntimeException ex) {
			return "no message: getMessage() threw " + ex.getClass().getName();
		}
	}

	private static @Nullable String stack(Throwable error) {
		try {
			StringWriter writer = new StringWriter();
			error.printStackTrace(new PrintWriter(writer));
			return writer.toString();
		}
		catch (RuntimeException | StackOverflowError ex) {
			return null;
		}
	}

	private static @Nullable String storable(@Nullable String text, int longest) {
		if (text == null) {
			return null;
		}
		String bounded = (text.length() > longest) ? text.substring(0, longest) + "…" : text;
		String storable = bounded.replace('\0', '\uFFFD');
		for (int i = Bounds.unpairedSurrogate(storable); i >= 0; i = Bounds.unpairedSurrogate(storable)) {
			storable = storable.substring(0, i) + '\uFFFD' + storable.substring(i + 1);
		}
		return storable;
	}

}
