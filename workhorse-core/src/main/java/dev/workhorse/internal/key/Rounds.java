package dev.workhorse.internal.key;

import org.springframework.dao.CannotAcquireLockException;

/**
 * How often a key is asked for again, each time in a new statement, because another
 * transaction has changed who holds it.
 */
public final class Rounds {

	/** A key that changes hands this often within one call is not decided. */
	public static final int MOST = 100;

	private Rounds() {
	}

	/**
	 * Give up.
	 * @param keys the keys as people may see them
	 * @param call what was called: {@code request}, {@code invoke} or {@code call}
	 * @return what is thrown
	 */
	public static CannotAcquireLockException exhausted(String keys, String call) {
		return new CannotAcquireLockException(
				"%s changed hands %d times during one %s; try again".formatted(keys, MOST, call));
	}

}
