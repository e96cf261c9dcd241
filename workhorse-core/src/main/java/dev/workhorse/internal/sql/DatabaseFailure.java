package dev.workhorse.internal.sql;

import org.slf4j.Logger;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;

/**
 * What is logged of something that failed and is tried again. A database that is away
 * needs one line and no stack trace.
 */
public final class DatabaseFailure {

	private DatabaseFailure() {
	}

	/**
	 * Log a failure at WARN.
	 * @param logger where to
	 * @param what what failed, and what becomes of it
	 * @param error the failure
	 */
	public static void log(Logger logger, String what, Throwable error) {
		if (isOutage(error)) {
			logger.warn("{}: {}", what, cause(error));
			logger.debug("The failure", error);
		}
		else {
			logger.warn(what, error);
		}
	}

	/**
	 * The cause in one line, without the statement that Spring puts in front of it.
	 * @param error a failure
	 * @return the class and the first line of the message of what is at the bottom of it
	 */
	public static String cause(Throwable error) {
		return NestedExceptionUtils.getMostSpecificCause(error).toString().lines().findFirst().orElse("");
	}

	private static boolean isOutage(Throwable error) {
		return error instanceof NonTransientDataAccessResourceException
				|| error instanceof RecoverableDataAccessException || error instanceof TransientDataAccessException
				|| error instanceof CannotCreateTransactionException || error instanceof TransactionSystemException;
	}

}
