package dev.workhorse.internal.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import dev.workhorse.Bounds;
import dev.workhorse.EnqueueFields;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Idempotency;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.RetryPolicy;
import dev.workhorse.payload.PayloadCodec;
import dev.workhorse.payload.PayloadException;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a caller passed into a checked {@link JobDefinition} with every default
 * resolved. What can be wrong with it is found here, before any SQL.
 */
public final class JobReader {

	private final EnqueueSettings settings;

	private final PayloadText payloads;

	public JobReader(EnqueueSettings settings, PayloadCodec codec) {
		this.settings = settings;
		this.payloads = new PayloadText(codec, settings.maxPayloadBytes());
	}

	/**
	 * Check a batch.
	 * @param <R> the type of a request
	 * @param <J> what a request is read as
	 * @param requests the requests
	 * @param reader reads one
	 * @return what was read, in the order of the requests
	 */
	public static <R, J> List<J> readAll(List<R> requests, Function<R, J> reader) {
		if (requests.size() > Bounds.MAX_BATCH) {
			throw new InvalidRequestException("requests", "at most %,d".formatted(Bounds.MAX_BATCH),
					"%,d".formatted(requests.size()));
		}
		List<J> read = new ArrayList<>(requests.size());
		for (int i = 0; i < requests.size(); i++) {
			try {
				read.add(reader.apply(requests.get(i)));
			}
			catch (InvalidRequestException ex) {
				throw new InvalidRequestException("requests[%d].%s".formatted(i, ex.field()), ex.bound(), ex.found());
			}
			catch (PayloadException ex) {
				throw new PayloadException("requests[%d]: %s".formatted(i, ex.getMessage()), ex);
			}
		}
		return read;
	}

	/**
	 * Check one request.
	 * @param type the job type
	 * @param payload what the handler is given
	 * @param fields the options
	 * @return the definition, and the payload in canonical form
	 */
	public CheckedJob read(String type, @Nullable Object payload, EnqueueFields fields) {
		Bounds.name("type", type);
		String json = this.payloads.write(payload);
		return new CheckedJob(definition(type, json, fields), this.payloads.canonical(json));
	}

	private JobDefinition definition(String type, String json, EnqueueFields fields) {
		RetryPolicy retryPolicy = Objects.requireNonNullElse(fields.retryPolicy(), this.settings.retryPolicy());
		Duration timeout = fields.executionTimeout();
		return new JobDefinition(Objects.requireNonNullElse(fields.queue(), EnqueueOptions.DEFAULT_QUEUE), type, json,
				Objects.requireNonNullElse(fields.priority(), EnqueueOptions.DEFAULT_PRIORITY), fields.concurrencyKey(),
				fields.runAt(), Objects.requireNonNullElse(fields.tags(), List.of()),
				Objects.requireNonNullElse(fields.maxAttempts(), this.settings.maxAttempts()), retryPolicy.text(),
				fields.deadline(), (timeout != null) ? timeout.toMillis() : null, explicit(fields));
	}

	private static List<String> explicit(EnqueueFields fields) {
		List<String> names = new ArrayList<>();
		addIfGiven(names, JobField.CONCURRENCY_KEY, fields.concurrencyKey());
		addIfGiven(names, JobField.DEADLINE, fields.deadline());
		addIfGiven(names, JobField.EXECUTION_TIMEOUT, fields.executionTimeout());
		addIfGiven(names, JobField.MAX_ATTEMPTS, fields.maxAttempts());
		addIfGiven(names, JobField.PRIORITY, fields.priority());
		addIfGiven(names, JobField.QUEUE, fields.queue());
		addIfGiven(names, JobField.RETRY_POLICY, fields.retryPolicy());
		addIfGiven(names, JobField.RUN_AT, fields.runAt());
		addIfGiven(names, JobField.TAGS, fields.tags());
		addIfGiven(names, JobField.TTL, (fields.key() instanceof Idempotency idempotency) ? idempotency.ttl() : null);
		return names;
	}

	private static void addIfGiven(List<String> names, JobField field, @Nullable Object value) {
		if (value != null) {
			names.add(field.label());
		}
	}

	/**
	 * A request within its bounds.
	 *
	 * @param definition the definition
	 * @param canonicalPayload the payload in canonical form
	 */
	public record CheckedJob(JobDefinition definition, String canonicalPayload) {

	}

}
