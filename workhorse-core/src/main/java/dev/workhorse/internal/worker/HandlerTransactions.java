package dev.workhorse.internal.worker;

import javax.sql.DataSource;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * Where the transactions of transactional handlers are.
 *
 * @param manager begins and commits them
 * @param dataSource the job store's, whose connection they expose
 */
public record HandlerTransactions(PlatformTransactionManager manager, DataSource dataSource) {

}
