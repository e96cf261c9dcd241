package dev.workhorse.autoconfigure.actuate;

import java.util.List;
import java.util.Map;

import dev.workhorse.operations.PausedQueue;
import dev.workhorse.operations.UnhandledType;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A queue as it is now.
 *
 * @param queue the queue
 * @param jobs live jobs by state
 * @param paused who paused it, when and why; absent if it is not paused
 * @param unhandled due jobs that no living node would take
 * @param nodes the names of the living nodes that work on it
 */
public record QueueDescriptor(String queue, Map<String, CountDescriptor> jobs, @Nullable PausedQueue paused,
		List<UnhandledType> unhandled, List<String> nodes) implements OperationResponseBody {

}
