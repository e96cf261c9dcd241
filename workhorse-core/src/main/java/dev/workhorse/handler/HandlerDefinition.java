package dev.workhorse.handler;

import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.workhorse.Bounds;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A handler and how its jobs are run.
 *
 * @param type the job type, 1 to 256 UTF-8 bytes
 * @param payloadType what payloads are read as, possibly generic
 * @param maxAttempts the number of attempts for jobs enqueued without one, or
 * {@code null} for the configured default
 * @param retryPolicy the retry policy for jobs enqueued without one, or {@code null} for
 * the configured default
 * @param noRetryFor exceptions that fail a job at once, however many attempts are left;
 * subclasses count
 * @param transactional whether the handler and the success of its job are committed in
 * one transaction on the job store's {@code DataSource}
 * @param retention how long its finished jobs stay
 * @param subscriptions the events that each become a job of this type
 * @param handler the code that runs the jobs
 */
public record HandlerDefinition(String type, Type payloadType, @Nullable Integer maxAttempts,
		@Nullable RetryPolicy retryPolicy, List<Class<? extends Throwable>> noRetryFor, boolean transactional,
		HandlerRetention retention, List<Subscription> subscriptions, Handler handler) {

	public HandlerDefinition {
		noRetryFor = List.copyOf(noRetryFor);
		subscriptions = List.copyOf(subscriptions);
		Bounds.name("type", type);
		if (maxAttempts != null) {
			Bounds.maxAttempts(maxAttempts);
		}
		Set<String> events = new HashSet<>();
		for (Subscription subscription : subscriptions) {
			if (!events.add(subscription.event())) {
				throw new InvalidRequestException("event", "named once for each handler",
						"'%s' twice".formatted(subscription.event()));
			}
		}
	}

	/**
	 * Define a handler that is not transactional and retried after any exception.
	 * @param type the job type
	 * @param payloadType what payloads are read as
	 * @param maxAttempts the number of attempts, or {@code null} for the configured
	 * default
	 * @param retryPolicy the retry policy, or {@code null} for the configured default
	 * @param handler the code that runs the jobs
	 */
	public HandlerDefinition(String type, Type payloadType, @Nullable Integer maxAttempts,
			@Nullable RetryPolicy retryPolicy, Handler handler) {
		this(type, payloadType, maxAttempts, retryPolicy, List.of(), false, HandlerRetention.CONFIGURED, List.of(),
				handler);
	}

	/**
	 * Define a handler with the configured defaults.
	 * @param type the job type
	 * @param payloadType what payloads are read as
	 * @param handler the code that runs the jobs
	 * @return the definition
	 */
	public static HandlerDefinition of(String type, Type payloadType, Handler handler) {
		return new HandlerDefinition(type, payloadType, null, null, handler);
	}

	/**
	 * The same handler, run in one transaction with the success of its job.
	 * @return a transactional definition
	 */
	public HandlerDefinition inTransaction() {
		return new HandlerDefinition(this.type, this.payloadType, this.maxAttempts, this.retryPolicy, this.noRetryFor,
				true, this.retention, this.subscriptions, this.handler);
	}

	/**
	 * The same handler, whose jobs fail at once with some exceptions.
	 * @param noRetryFor the exceptions; subclasses count
	 * @return a definition with these exceptions instead of those before
	 */
	public HandlerDefinition withoutRetryFor(List<Class<? extends Throwable>> noRetryFor) {
		return new HandlerDefinition(this.type, this.payloadType, this.maxAttempts, this.retryPolicy, noRetryFor,
				this.transactional, this.retention, this.subscriptions, this.handler);
	}

	/**
	 * The same handler, whose finished jobs stay for another time than those of others.
	 * @param retention how long they stay
	 * @return a definition with this retention
	 */
	public HandlerDefinition keeping(HandlerRetention retention) {
		return new HandlerDefinition(this.type, this.payloadType, this.maxAttempts, this.retryPolicy, this.noRetryFor,
				this.transactional, retention, this.subscriptions, this.handler);
	}

	/**
	 * The same handler, whose jobs are also made by events.
	 * @param subscriptions the events, each named once
	 * @return a definition with these subscriptions instead of those before
	 */
	public HandlerDefinition subscribedTo(Subscription... subscriptions) {
		return new HandlerDefinition(this.type, this.payloadType, this.maxAttempts, this.retryPolicy, this.noRetryFor,
				this.transactional, this.retention, List.of(subscriptions), this.handler);
	}

}
