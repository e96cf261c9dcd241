package dev.workhorse.autoconfigure;

import java.time.Duration;
import java.util.Map;

import dev.workhorse.runtime.SchemaMode;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Everything that can be configured. The bounds are those of the core, which checks them;
 * see {@link PropertyBounds}.
 *
 * @param schema The database schema
 * @param keys How keys are kept
 * @param enqueue Defaults of requests
 * @param payload Bounds of payloads
 * @param worker How this node runs jobs
 * @param retention How long finished jobs stay
 * @param events How events are kept
 */
@ConfigurationProperties("workhorse")
record WorkhorseProperties(@DefaultValue Schema schema, @DefaultValue Keys keys, @DefaultValue Enqueue enqueue,
		@DefaultValue Payload payload, @DefaultValue Worker worker, @DefaultValue Retention retention,
		@DefaultValue Events events) {

	/**
	 * The database schema.
	 *
	 * @param name Schema that holds the jobs
	 * @param mode What is done about the schema at start
	 */
	record Schema(@DefaultValue("workhorse") String name, @DefaultValue("migrate") SchemaMode mode) {

	}

	/**
	 * How keys are kept.
	 *
	 * @param pepper Secret to hash keys with; changing it forgets every live key
	 */
	record Keys(@Nullable String pepper) {

		@Override
		public String toString() {
			return "Keys[pepper=" + ((this.pepper != null) ? "set" : "none") + "]";
		}

	}

	/**
	 * Defaults of requests.
	 *
	 * @param idempotencyTtl How long an idempotency key holds when the request does not
	 * say, from 1 ms to 365 days
	 * @param maxAttempts Number of attempts, from 1 to 100, of jobs for which neither the
	 * request nor the handler says it
	 * @param retryPolicy Delay between attempts where neither the request nor the handler
	 * says it, such as polynomial, fixed:PT10S or exponential:PT1S:PT1H
	 * @param keyWait Longest wait for another transaction to decide about a key;
	 * unbounded by default
	 */
	record Enqueue(@DefaultValue("24h") Duration idempotencyTtl, @DefaultValue("25") int maxAttempts,
			@DefaultValue("polynomial") String retryPolicy, @Nullable Duration keyWait) {

	}

	/**
	 * Bounds of payloads.
	 *
	 * @param maxSize Largest payload and result as JSON text, up to 16MB
	 */
	record Payload(@DefaultValue("1MB") DataSize maxSize) {

	}

	/**
	 * How this node runs jobs.
	 *
	 * @param enabled Whether this node runs jobs; it accepts them in any case
	 * @param name Name of this node for people; by default the application's name, host
	 * and process id
	 * @param queues Queues this node works on; by default 'default' alone
	 * @param lease How long a claim holds without a heartbeat, from 100 ms to 1 hour
	 * @param pollInterval How often an idle queue is looked at, from 1 ms to 1 minute
	 * @param shutdownGrace How long handlers may go on when the application stops;
	 * spring.lifecycle.timeout-per-shutdown-phase does not cut it short
	 * @param connections Size of the connection pool for claims, heartbeats and
	 * completions, from 2 to 100; 0 to take them from the application's pool
	 */
	record Worker(@DefaultValue("true") boolean enabled, @Nullable String name, @DefaultValue Map<String, Queue> queues,
			@DefaultValue("30s") Duration lease, @DefaultValue("1s") Duration pollInterval,
			@DefaultValue("30s") Duration shutdownGrace, @DefaultValue("5") int connections) {

	}

	/**
	 * How this node works on a queue.
	 *
	 * @param concurrency How many jobs of the queue this node runs at once, from 1 to
	 * 10,000
	 * @param concurrencyPerKey How many jobs of one concurrency key run at once on all
	 * nodes together, from 1 to 10,000; unlimited by default
	 * @param rateLimit How many jobs start within the rate period on all nodes together,
	 * from 1 to 1,000,000; unlimited by default
	 * @param ratePeriod Period of the rate limit
	 */
	record Queue(@DefaultValue("10") int concurrency, @Nullable Integer concurrencyPerKey, @Nullable Integer rateLimit,
			@DefaultValue("1s") Duration ratePeriod) {

	}

	/**
	 * How long finished jobs stay. A job that a live key answers with stays longer.
	 *
	 * @param succeeded How long succeeded jobs stay, up to 3,650 days
	 * @param failed How long failed jobs stay, up to 3,650 days
	 * @param cancelled How long cancelled jobs stay, up to 3,650 days
	 * @param interval How often is looked for expired keys and jobs to remove, from 1 ms
	 * to 365 days
	 */
	record Retention(@DefaultValue("1d") Duration succeeded, @DefaultValue("14d") Duration failed,
			@DefaultValue("1d") Duration cancelled, @DefaultValue("1m") Duration interval) {

	}

	/**
	 * How events are kept.
	 *
	 * @param dedupeRetention How long the dedupe key of an event is remembered after its
	 * dispatch, from 1 to 2 days
	 */
	record Events(@DefaultValue("1d") Duration dedupeRetention) {

	}

}
