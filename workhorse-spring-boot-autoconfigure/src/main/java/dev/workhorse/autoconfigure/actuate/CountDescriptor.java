package dev.workhorse.autoconfigure.actuate;

import dev.workhorse.operations.Jobs;

/**
 * A number that is not counted any further than a limit.
 *
 * @param count the number, at most {@link Jobs#COUNT_LIMIT}
 * @param capped whether counting stopped there, so that there may be more
 */
public record CountDescriptor(long count, boolean capped) {

	static CountDescriptor of(long count) {
		return new CountDescriptor(count, count >= Jobs.COUNT_LIMIT);
	}

}
