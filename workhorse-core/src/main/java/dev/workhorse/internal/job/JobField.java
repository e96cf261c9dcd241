package dev.workhorse.internal.job;

/**
 * The fields of a request that can make two of them differ, in the order of their names,
 * which is the order they are hashed in.
 */
public enum JobField {

	/** The group. */
	CONCURRENCY_KEY("concurrencyKey"),

	/** When no attempt starts any more. */
	DEADLINE("deadline"),

	/** How long one attempt may take. */
	EXECUTION_TIMEOUT("executionTimeout"),

	/** The number of attempts. */
	MAX_ATTEMPTS("maxAttempts"),

	/** What the key is used for. */
	MODE("mode"),

	/** What the handler is given. */
	PAYLOAD("payload"),

	/** What runs first. */
	PRIORITY("priority"),

	/** The queue. */
	QUEUE("queue"),

	/** The delay between attempts. */
	RETRY_POLICY("retryPolicy"),

	/** The time asked for. */
	RUN_AT("runAt"),

	/** The labels. */
	TAGS("tags"),

	/** How long an idempotency key is held. */
	TTL("ttl"),

	/** The job type. */
	TYPE("type"),

	/** How long a throttled or debounced key is held. */
	WINDOW("window");

	private final String label;

	JobField(String label) {
		this.label = label;
	}

	/**
	 * The name shown in a conflict and stored among the explicit options.
	 * @return the name
	 */
	public String label() {
		return this.label;
	}

}
