package dev.workhorse.handler;

import java.util.UUID;

import dev.workhorse.WorkhorseException;
import org.jspecify.annotations.Nullable;

/**
 * A child did not succeed. Thrown again by every later attempt.
 */
public class ChildFailedException extends WorkhorseException {

	private final Child child;

	/**
	 * Create the exception.
	 * @param child how the child ended
	 */
	public ChildFailedException(Child child) {
		super("Child '%s' (job %s) %s%s; catch this exception to go on without it".formatted(child.name(),
				child.jobId(), child.end(), describe(child)));
		this.child = child;
	}

	private static String describe(Child child) {
		String type = (child.errorType() != null) ? child.errorType() + ": " : "";
		return (child.errorMessage() != null) ? ": " + type + child.errorMessage() : "";
	}

	/**
	 * How the child ended.
	 * @return the child
	 */
	public Child child() {
		return this.child;
	}

	/**
	 * A child that did not succeed.
	 *
	 * @param name the name its parent knows it by
	 * @param jobId its job
	 * @param end {@code failed}, {@code cancelled} or {@code purged}
	 * @param errorType the class of the exception that failed it, {@code null} if there
	 * was none
	 * @param errorMessage the message of that exception, or why it was cancelled
	 */
	public record Child(String name, UUID jobId, String end, @Nullable String errorType,
			@Nullable String errorMessage) {

	}

}
