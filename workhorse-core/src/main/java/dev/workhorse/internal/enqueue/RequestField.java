package dev.workhorse.internal.enqueue;

/**
 * The fields that make two requests equivalent or not, in the order of their names, which
 * is the order they are hashed in.
 */
enum RequestField {

	CONCURRENCY_KEY("concurrencyKey"), DEADLINE("deadline"), EXECUTION_TIMEOUT("executionTimeout"),
	MAX_ATTEMPTS("maxAttempts"), MODE("mode"), PAYLOAD("payload"), PRIORITY("priority"), QUEUE("queue"),
	RETRY_POLICY("retryPolicy"), RUN_AT("runAt"), TAGS("tags"), TTL("ttl"), TYPE("type"), WINDOW("window");

	private final String label;

	RequestField(String label) {
		this.label = label;
	}

	/**
	 * The name shown in a conflict and stored among the explicit options.
	 */
	String label() {
		return this.label;
	}

}
