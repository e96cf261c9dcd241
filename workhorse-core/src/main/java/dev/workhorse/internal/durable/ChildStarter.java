package dev.workhorse.internal.durable;

import java.util.UUID;

import dev.workhorse.handler.ChildOptions;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the children of running attempts.
 */
@FunctionalInterface
public interface ChildStarter {

	/**
	 * Start a child, unless its parent has one of that name.
	 * @param child the child
	 * @return its job, or {@code null} if the parent's attempt has lost its lease
	 */
	@Nullable UUID start(Child child);

	/**
	 * A child to be started.
	 *
	 * @param parentId the parent's job
	 * @param fence the fence of the parent's attempt
	 * @param depth how many ancestors the child has
	 * @param name what the parent knows it by
	 * @param type the job type
	 * @param payload what its handler is given
	 * @param options how it is run
	 */
	record Child(UUID parentId, long fence, int depth, String name, String type, @Nullable Object payload,
			ChildOptions options) {

	}

}
