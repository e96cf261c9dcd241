package dev.workhorse.internal.durable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt is suspended for.
 *
 * @param kind what kind of step waits
 * @param steps the steps that wait: several for children, otherwise one
 * @param time when the wait is over at the latest
 * @param event the event it waits for, {@code null} for another kind of step
 */
public record WaitRequest(StepKind kind, List<WaitStep> steps, WaitTime time, @Nullable AwaitedEvent event) {

	/**
	 * The wait as the statement that settles attempts reads it.
	 * @param deadline the time after which the job does not go on, {@code null} for none
	 * @return the wait as JSON
	 */
	public String json(@Nullable Instant deadline) {
		ObjectNode json = JsonNodeFactory.instance.objectNode().put("kind", this.kind.label());
		ArrayNode list = json.putArray("steps");
		for (WaitStep step : this.steps) {
			ObjectNode entry = list.addObject().put("name", step.name()).put("seq", step.seq());
			if (step.child() != null) {
				entry.put("child", step.child().toString());
			}
		}
		if (this.time.until() != null) {
			json.put("until", this.time.until().toString());
		}
		if (this.time.delay() != null) {
			json.put("delayMs", this.time.delay().toMillis());
		}
		if (this.event != null) {
			json.put("event", this.event.name()).putRawValue("filter", new RawValue(this.event.filter()));
		}
		if (deadline != null) {
			json.put("deadline", deadline.toString());
		}
		return json.toString();
	}

	/**
	 * The name of the first step, for messages.
	 * @return the name
	 */
	public String name() {
		return this.steps.get(0).name();
	}

	/**
	 * One of the steps that wait.
	 *
	 * @param name the name of the step
	 * @param seq its place in the order of the steps
	 * @param child the child it waits for, {@code null} for none
	 */
	public record WaitStep(String name, int seq, @Nullable UUID child) {

	}

	/**
	 * An event that is waited for.
	 *
	 * @param name its name
	 * @param filter the values its payload must have, as a JSON object by JSON pointer
	 */
	public record AwaitedEvent(String name, String filter) {

	}

	/**
	 * When a wait is over at the latest: at a time, or some time from now, or never.
	 *
	 * @param delay how long from now
	 * @param until the time
	 */
	public record WaitTime(@Nullable Duration delay, @Nullable Instant until) {

	}

}
