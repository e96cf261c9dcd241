package dev.workhorse.internal.enqueue;

import java.util.UUID;

import dev.workhorse.KeyMode;
import dev.workhorse.internal.job.JobDefinition;
import org.jspecify.annotations.Nullable;

/**
 * A checked request with every default resolved, ready for SQL.
 *
 * @param id the id the job gets if it is accepted
 * @param definition what is to be run, and how
 * @param key the key, {@code null} for none
 * @param content what counts when requests are compared, {@code null} without a key
 * @param traceContext the context of its trace as JSON text, {@code null} for none
 */
record JobRequest(UUID id, JobDefinition definition, @Nullable KeyBinding key, @Nullable RequestContent content,
		@Nullable String traceContext) {

	/**
	 * The mode as it is counted.
	 */
	String modeLabel() {
		return (this.key != null) ? this.key.mode().label() : "none";
	}

	JobRequest inTrace(@Nullable String traceContext) {
		return new JobRequest(this.id, this.definition, this.key, this.content, traceContext);
	}

	boolean isDebounced() {
		return this.key != null && this.key.mode() == KeyMode.DEBOUNCE;
	}

	/**
	 * The request that stands for this one and an earlier one of the same batch, which it
	 * takes the place of.
	 */
	JobRequest after(JobRequest earlier) {
		if (this.key == null || earlier.key == null) {
			return this;
		}
		return new JobRequest(earlier.id, this.definition, this.key.after(earlier.key), this.content,
				this.traceContext);
	}

}
