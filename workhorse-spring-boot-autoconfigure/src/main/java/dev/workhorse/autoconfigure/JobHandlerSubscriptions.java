package dev.workhorse.autoconfigure;

import java.util.Arrays;
import java.util.List;

import dev.workhorse.handler.JobHandler;
import dev.workhorse.handler.Subscription;

import org.springframework.util.StringUtils;

/**
 * What a handler method subscribes to.
 */
final class JobHandlerSubscriptions {

	private JobHandlerSubscriptions() {
	}

	static List<Subscription> of(JobHandler annotation, JobHandlerMethod handler) {
		if (annotation.event().length == 0) {
			reject(annotation.filter().length > 0, handler, "has a filter");
			reject(annotation.payloadFields().length > 0, handler, "names payload fields");
			reject(StringUtils.hasLength(annotation.eventQueue()), handler, "has an event queue");
			reject(handler.takesEvent(), handler, "takes EventMetadata");
		}
		return Arrays.stream(annotation.event()).map((event) -> subscription(event, annotation)).toList();
	}

	private static void reject(boolean condition, JobHandlerMethod handler, String what) {
		if (condition) {
			throw new StartupException("%s %s but subscribes to no event".formatted(handler, what),
					"name the event in the annotation", null);
		}
	}

	private static Subscription subscription(String event, JobHandler annotation) {
		Subscription subscription = Subscription.to(event).payloadFields(annotation.payloadFields());
		if (StringUtils.hasLength(annotation.eventQueue())) {
			subscription = subscription.queue(annotation.eventQueue());
		}
		for (String condition : annotation.filter()) {
			subscription = subscription.where(condition);
		}
		return subscription;
	}

}
