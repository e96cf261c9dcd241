package dev.workhorse.autoconfigure.actuate;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;

import dev.workhorse.InvalidRequestException;
import dev.workhorse.operations.DeadLetterFilter;
import dev.workhorse.operations.JobFilter;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.runtime.Workhorse;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@link Endpoint @Endpoint} that shows queues, jobs, workers and held keys, and, where
 * it is allowed to, acts on them. A key is shown by its preview and digest only.
 */
@Endpoint(id = "workhorse", defaultAccess = Access.READ_ONLY)
public final class WorkhorseEndpoint {

	private static final int KEYS_SHOWN = 100;

	private static final int PAGE = 100;

	private final Workhorse workhorse;

	private final Jobs jobs;

	private final OutcomeCounts counts;

	private final JobStoreView view;

	private final Actions actions;

	private final List<SanitizingFunction> sanitizingFunctions;

	private final Show showValues;

	WorkhorseEndpoint(Workhorse workhorse, Jobs jobs, OutcomeCounts counts,
			List<SanitizingFunction> sanitizingFunctions, Show showValues) {
		this.workhorse = workhorse;
		this.jobs = jobs;
		this.counts = counts;
		this.view = new JobStoreView(jobs);
		this.actions = new Actions(jobs);
		this.sanitizingFunctions = sanitizingFunctions;
		this.showValues = showValues;
	}

	/**
	 * Look at the job store.
	 * @return what is in it now
	 */
	@ReadOperation
	public JobStoreDescriptor jobStore() {
		return new JobStoreDescriptor(this.view.counts(), this.jobs.pausedQueues(), this.jobs.unhandledTypes(),
				this.view.finished(), JobStoreDescriptor.ThisNodeDescriptor.of(this.workhorse.workerStatus()),
				this.jobs.workers(), this.jobs.liveKeys(KEYS_SHOWN), new JobStoreDescriptor.CountsDescriptor(
						this.counts.decisions(), this.counts.invokes(), this.counts.events(), this.counts.attempts()));
	}

	/**
	 * List jobs, dead letters, keys or queues.
	 * @param collection one of "jobs", "dead-letters", "keys" and "queues"
	 * @param queue only jobs and dead letters of a queue
	 * @param type only jobs and dead letters of a type
	 * @param state only jobs in a state
	 * @param tag only jobs with a tag
	 * @param errorType only dead letters whose last exception was of a class
	 * @param scope only keys of a scope
	 * @param after the {@code next} of the page before
	 * @param size the length of the page, 1 to 1,000; 100 by default
	 * @return the page, or {@code null} if there is no such collection
	 */
	@ReadOperation
	public @Nullable OperationResponseBody list(@Selector String collection, @Nullable String queue,
			@Nullable String type, @Nullable String state, @Nullable String tag, @Nullable String errorType,
			@Nullable String scope, @Nullable String after, @Nullable Integer size) {
		return list(new Listing(collection, queue, type, state, tag, errorType, scope, after, size), values());
	}

	@Nullable OperationResponseBody list(Listing listing, Values values) {
		int size = Objects.requireNonNullElse(listing.size(), PAGE);
		return valid(() -> switch (listing.collection()) {
			case "jobs" -> this.view.jobs(listing.jobFilter(), listing.after(), size);
			case "dead-letters" -> this.view.deadLetters(listing.deadLetterFilter(), listing.after(), size, values);
			case "keys" -> this.view.keys(listing.scope(), listing.after(), size);
			case "queues" -> new PageDescriptor<>(this.view.queues(), null);
			default -> null;
		});
	}

	/**
	 * Look at a job, a queue or the keys of a scope.
	 * @param collection one of "jobs", "dead-letters", "keys" and "queues"
	 * @param name the id of the job, the queue or the scope
	 * @param after for keys, the {@code next} of the page before
	 * @param size for keys, the length of the page
	 * @return what is there, or {@code null} for nothing
	 */
	@ReadOperation
	public @Nullable OperationResponseBody show(@Selector String collection, @Selector String name,
			@Nullable String after, @Nullable Integer size) {
		return show(collection, name, after, size, values());
	}

	@Nullable OperationResponseBody show(String collection, String name, @Nullable String after, @Nullable Integer size,
			Values values) {
		return valid(() -> switch (collection) {
			case "jobs", "dead-letters" -> this.view.job(id(name), values);
			case "queues" ->
				this.view.queues().stream().filter((queue) -> queue.queue().equals(name)).findFirst().orElse(null);
			case "keys" -> this.view.keys(name, after, Objects.requireNonNullElse(size, PAGE));
			default -> null;
		});
	}

	/**
	 * Act on a job, a queue or a key.
	 * @param collection one of "jobs", "dead-letters", "keys" and "queues"
	 * @param name the id of the job, the queue or the scope of the key
	 * @param action what to do: {@code cancel}, {@code run-now}, {@code release-key} or
	 * {@code redrive} for a job, {@code pause}, {@code resume} or {@code purge} for a
	 * queue, {@code release-key} for a scope
	 * @param by who does it
	 * @param reason why
	 * @param requestId identifies a redrive, which is then safe to repeat
	 * @param interrupt whether the handler of a cancelled job is interrupted
	 * @param digest the digest of the key to release
	 * @return what became of it, or {@code null} if there is no such thing
	 */
	@WriteOperation
	public @Nullable ActionDescriptor act(@Selector String collection, @Selector String name, String action,
			@Nullable String by, @Nullable String reason, @Nullable String requestId, @Nullable Boolean interrupt,
			@Nullable String digest) {
		return act(collection, name, ActionRequest.of(action, by, reason, requestId, interrupt, digest));
	}

	@Nullable ActionDescriptor act(String collection, String name, ActionRequest request) {
		return valid(() -> switch (collection) {
			case "jobs", "dead-letters" -> this.actions.onJob(id(name), request);
			case "queues" -> this.actions.onQueue(name, request);
			case "keys" -> this.actions.onScope(name, request);
			default -> null;
		});
	}

	private static UUID id(String name) {
		try {
			return UUID.fromString(name);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidEndpointRequestException("Not the id of a job: " + name, "The id of a job is a UUID");
		}
	}

	private static <T> T valid(Supplier<T> operation) {
		try {
			return operation.get();
		}
		catch (InvalidRequestException ex) {
			throw new InvalidEndpointRequestException(String.valueOf(ex.getMessage()),
					"'%s' must be %s".formatted(ex.field(), ex.bound()), ex);
		}
	}

	// without a request there is nobody to be authorized
	private Values values() {
		return values(this.showValues == Show.ALWAYS);
	}

	Values values(boolean shown) {
		return new Values(this.sanitizingFunctions, shown);
	}

	/**
	 * Which part of which list is meant.
	 *
	 * @param collection what is listed
	 * @param queue the queue
	 * @param type the job type
	 * @param state the state
	 * @param tag the tag
	 * @param errorType the class of the last exception
	 * @param scope the scope of keys
	 * @param after where the page begins
	 * @param size its length
	 */
	record Listing(String collection, @Nullable String queue, @Nullable String type, @Nullable String state,
			@Nullable String tag, @Nullable String errorType, @Nullable String scope, @Nullable String after,
			@Nullable Integer size) {

		JobFilter jobFilter() {
			return new JobFilter(this.queue, this.type, (this.state != null) ? stateOf(this.state) : null, this.tag);
		}

		DeadLetterFilter deadLetterFilter() {
			return new DeadLetterFilter(this.queue, this.type, this.errorType, null, null);
		}

		private static JobState stateOf(String label) {
			try {
				return JobState.of(label);
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidEndpointRequestException("No state '" + label + "'",
						"'state' must be the state of a job, such as ready or failed");
			}
		}

	}

}
