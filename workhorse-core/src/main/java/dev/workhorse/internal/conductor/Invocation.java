package dev.workhorse.internal.conductor;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.workhorse.internal.job.JobDefinition;
import dev.workhorse.internal.job.JobField;
import org.jspecify.annotations.Nullable;

/**
 * A checked invoke with every default resolved, ready for SQL.
 *
 * @param id the id of the execution if one is created
 * @param definition what is to be run, and how
 * @param delayMillis the delay asked for, {@code null} for none
 * @param key what the execution is known by, {@code null} for nothing
 * @param traceContext the context of its trace as JSON text, {@code null} for none
 */
record Invocation(UUID id, JobDefinition definition, @Nullable Long delayMillis, @Nullable InvokeKey key,
		@Nullable String traceContext) {

	private static final List<String> REPLACED = List.of(JobField.CONCURRENCY_KEY.label(), JobField.PRIORITY.label(),
			JobField.RUN_AT.label());

	/**
	 * The mode as it is counted.
	 */
	String modeLabel() {
		return (this.key != null) ? this.key.mode().label() : "none";
	}

	Invocation inTrace(@Nullable String traceContext) {
		return new Invocation(this.id, this.definition, this.delayMillis, this.key, traceContext);
	}

	/**
	 * The invoke that stands for this one and an earlier one of the same batch, which it
	 * would have updated.
	 */
	Invocation after(Invocation earlier) {
		JobDefinition kept = earlier.definition;
		JobDefinition given = this.definition;
		List<String> explicit = new ArrayList<>(kept.explicit());
		explicit.removeAll(REPLACED);
		given.explicit().stream().filter(REPLACED::contains).forEach(explicit::add);
		JobDefinition merged = new JobDefinition(kept.queue(), kept.type(), given.payload(), given.priority(),
				given.concurrencyKey(), given.runAt(), kept.tags(), kept.maxAttempts(), kept.retryPolicy(),
				kept.deadline(), kept.timeoutMillis(), explicit);
		return new Invocation(earlier.id, merged, this.delayMillis, this.key, this.traceContext);
	}

}
