package dev.workhorse.operations;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A part of a list. Making it looks at a bounded number of rows, so with a filter that
 * few of them pass it may be short, or empty, and there may be more all the same.
 *
 * @param items what was found
 * @param next where the next page begins, {@code null} if this is the last one
 * @param <T> what is listed
 */
public record Page<T>(List<T> items, @Nullable String next) {

	public Page {
		items = List.copyOf(items);
	}

}
