package dev.workhorse.internal.worker;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.workhorse.Bounds;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

/**
 * An error as it is kept with an attempt: type, message and stack, each bounded and free
 * of what {@code jsonb} cannot carry.
 */
final class AttemptError {

	private static final int LONGEST_MESSAGE = 2_000;

	private static final int LONGEST_STACK = 8_000;

	private static final int LONGEST_CAUSE = 500;

	private static final int MOST_CAUSES = 5;

	private static final int MOST_FRAMES = 30;

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

	/**
	 * The error of an attempt whose end the database refused, for example its result. The
	 * refusal may quote what it refuses, so it is kept in another form.
	 */
	static String unstorable(DataAccessException ex) {
		Throwable root = ex.getMostSpecificCause();
		return json(root.getClass().getName(), "The end of the attempt cannot be stored: " + message(root), null);
	}

	// an exception's own methods are application code and may throw
	private static @Nullable String message(Throwable error) {
		try {
			return error.getMessage();
		}
		catch (Throwable ex) {
			return "no message: %s.getMessage() threw %s".formatted(error.getClass().getName(),
					ex.getClass().getName());
		}
	}

	/**
	 * The frames of an error and of its causes. Written here since
	 * {@code printStackTrace} asks for messages, which may be huge or throw.
	 */
	private static @Nullable String stack(Throwable error) {
		StringBuilder stack = new StringBuilder();
		try {
			Throwable current = error;
			for (int depth = 0; current != null && depth < MOST_CAUSES; depth++) {
				append(stack, current, depth);
				current = current.getCause();
			}
		}
		catch (Throwable ex) {
			stack.append("(no more: ").append(ex.getClass().getName()).append(")\n");
		}
		return stack.toString();
	}

	private static void append(StringBuilder stack, Throwable error, int depth) {
		stack.append((depth > 0) ? "Caused by: " : "").append(error.getClass().getName());
		String message = message(error);
		if (depth > 0 && message != null) {
			stack.append(": ").append(message, 0, Math.min(message.length(), LONGEST_CAUSE));
		}
		stack.append('\n');
		StackTraceElement[] frames = error.getStackTrace();
		for (int i = 0; i < Math.min(frames.length, MOST_FRAMES); i++) {
			stack.append("\tat ").append(frames[i]).append('\n');
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
