package dev.workhorse.internal.operations;

import java.util.List;

import dev.workhorse.InvalidRequestException;
import dev.workhorse.operations.Page;

/**
 * One row of a list that looks at a bounded number of rows.
 *
 * @param item what it holds
 * @param passes whether it passes the filter; the last row looked at is there in any case
 * @param place the number of the row, from 1
 * @param cursor where the page behind it begins
 * @param <T> what is listed
 */
record Listed<T>(T item, boolean passes, int place, Cursor cursor) {

	/** How many rows one page looks at. */
	static final int LOOKED = 10_000;

	static final int LONGEST_PAGE = 1_000;

	static <T> Page<T> page(List<Listed<T>> rows, int most) {
		Listed<T> last = (rows.isEmpty()) ? null : rows.get(rows.size() - 1);
		boolean more = last != null && (rows.size() == most || last.place == LOOKED);
		return new Page<>(rows.stream().filter(Listed::passes).map(Listed::item).toList(),
				(more && last != null) ? last.cursor.text() : null);
	}

	static int checked(int most) {
		if (most < 1 || most > LONGEST_PAGE) {
			throw new InvalidRequestException("most", "1 to %,d".formatted(LONGEST_PAGE), Integer.toString(most));
		}
		return most;
	}

}
