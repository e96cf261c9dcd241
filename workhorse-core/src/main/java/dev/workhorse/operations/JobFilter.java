package dev.workhorse.operations;

import dev.workhorse.Bounds;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs are meant; what is {@code null} does not count.
 *
 * @param queue the queue
 * @param type the job type
 * @param state where the job stands
 * @param tag one of its tags
 */
public record JobFilter(@Nullable String queue, @Nullable String type, @Nullable JobState state, @Nullable String tag) {

	public JobFilter {
		if (queue != null) {
			Bounds.name("queue", queue);
		}
		if (type != null) {
			Bounds.name("type", type);
		}
		if (tag != null) {
			Bounds.name("tag", tag);
		}
	}

	/**
	 * All jobs.
	 * @return the filter
	 */
	public static JobFilter all() {
		return new JobFilter(null, null, null, null);
	}

	/**
	 * Only those of a queue.
	 * @param queue the queue
	 * @return a copy with the queue
	 */
	public JobFilter inQueue(String queue) {
		return new JobFilter(queue, this.type, this.state, this.tag);
	}

	/**
	 * Only those of a job type.
	 * @param type the job type
	 * @return a copy with the type
	 */
	public JobFilter ofType(String type) {
		return new JobFilter(this.queue, type, this.state, this.tag);
	}

	/**
	 * Only those in a state.
	 * @param state where the jobs stand
	 * @return a copy with the state
	 */
	public JobFilter in(JobState state) {
		return new JobFilter(this.queue, this.type, state, this.tag);
	}

	/**
	 * Only those with a tag.
	 * @param tag the tag
	 * @return a copy with the tag
	 */
	public JobFilter tagged(String tag) {
		return new JobFilter(this.queue, this.type, this.state, tag);
	}

}
