package dev.workhorse.autoconfigure.actuate;

import java.util.List;
import java.util.function.Function;

import dev.workhorse.operations.Page;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A page of a list.
 *
 * @param items what was found
 * @param next what to pass as {@code after} for the next page; absent on the last one
 * @param <T> what is listed
 */
public record PageDescriptor<T>(List<T> items, @Nullable String next) implements OperationResponseBody {

	static <S, T> PageDescriptor<T> of(Page<S> page, Function<S, T> item) {
		return new PageDescriptor<>(page.items().stream().map(item).toList(), page.next());
	}

}
