package dev.workhorse.internal.durable;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import dev.workhorse.EnqueueOptions;
import dev.workhorse.handler.CheckpointReadException;
import dev.workhorse.handler.EventMatch;
import dev.workhorse.handler.Subscription;
import dev.workhorse.internal.durable.StepStore.Attempted;
import dev.workhorse.internal.durable.WaitRequest.AwaitedEvent;
import dev.workhorse.internal.json.JsonCanonicalizer;
import dev.workhorse.internal.json.JsonText;
import dev.workhorse.internal.sql.CallerTransaction;
import dev.workhorse.payload.PayloadCodec;
import dev.workhorse.payload.PayloadException;
import org.jspecify.annotations.Nullable;

/**
 * What all attempts of a node have in common for their steps, and for the values they
 * store.
 */
public final class DurableExecution {

	private final StepStore store;

	private final PayloadCodec codec;

	private final int maxBytes;

	private final Children children;

	/**
	 * Create it.
	 * @param transaction joins the transactions of handlers
	 * @param schema the schema
	 * @param codec reads and writes values
	 * @param maxBytes the largest value
	 * @param children starts children
	 */
	public DurableExecution(CallerTransaction transaction, String schema, PayloadCodec codec, int maxBytes,
			Children children) {
		this.store = new StepStore(transaction, schema);
		this.codec = codec;
		this.maxBytes = maxBytes;
		this.children = children;
	}

	/**
	 * Begin with the steps of an attempt.
	 * @param jobId the job
	 * @param fence the fence of the attempt
	 * @param depth how many ancestors the job has
	 * @return its steps
	 */
	public Steps steps(UUID jobId, long fence, int depth) {
		return new Steps(this, new Attempted(jobId, fence), depth);
	}

	StepStore store() {
		return this.store;
	}

	Children children() {
		return this.children;
	}

	/**
	 * Write a value as JSON that can be stored.
	 * @param what what the value is, for messages
	 * @param value the value
	 * @return the JSON text
	 */
	public String write(String what, @Nullable Object value) {
		String json = this.codec.write(value);
		String unused = new JsonCanonicalizer(what, this.maxBytes).canonical(json);
		return json;
	}

	/**
	 * Write what is waited for as it is stored.
	 */
	AwaitedEvent awaited(EventMatch match) {
		Map<String, String> conditions = new TreeMap<>();
		match.filter().forEach((pointer, value) -> conditions.put(pointer, this.codec.write(value)));
		Subscription checked = new Subscription(match.event(), EnqueueOptions.DEFAULT_QUEUE, conditions, List.of());
		return new AwaitedEvent(match.event(), JsonText.object(checked.filter()));
	}

	@Nullable Object read(String what, @Nullable String json, Type type) {
		try {
			return (json != null) ? this.codec.read(json, type) : null;
		}
		catch (PayloadException ex) {
			throw new CheckpointReadException(what, type.getTypeName(), ex);
		}
	}

}
