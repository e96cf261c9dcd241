package dev.workhorse;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.read.ListAppender;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.conductor.EmitOptions;
import dev.workhorse.conductor.InvokeOptions;
import dev.workhorse.testsupport.Race;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A key may be a secret: it is found nowhere afterwards (H15).
 */
class KeyPrivacyIntegrationTests {

	private static final String SECRET = "tok_live_1234567890abcdef";

	private static final EnqueueOptions OPTIONS = EnqueueOptions.idempotencyKey(SECRET);

	private static CoreDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = CoreDatabase.create();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@Test
	void rawKeyIsNeitherLoggedNorThrownNorStored() {
		Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
		Logger own = (Logger) LoggerFactory.getLogger("dev.workhorse");
		Level ownLevel = own.getLevel();
		List<Appender<ILoggingEvent>> others = detachAll(root);
		ListAppender<ILoggingEvent> appender = new ListAppender<>();
		appender.start();
		root.addAppender(appender);
		root.setLevel(Level.TRACE);
		own.setLevel(Level.TRACE);
		List<Throwable> thrown;
		try {
			thrown = everyOutcome();
		}
		finally {
			root.setLevel(Level.WARN);
			own.setLevel(ownLevel);
			root.detachAppender(appender);
			others.forEach(root::addAppender);
		}
		assertThat(thrown).extracting((failure) -> failure.getClass().getSimpleName())
			.containsExactly("EnqueueIdempotencyConflictException", "EnqueueKeyBusyException",
					"ReadOnlyTransactionException", "InvalidRequestException", "EnqueueKeyBusyException",
					"ReadOnlyTransactionException", "InvalidRequestException", "EnqueueKeyBusyException",
					"ReadOnlyTransactionException", "InvalidRequestException");
		assertThat(thrown).allSatisfy((failure) -> assertNoKey(describe(failure)));
		assertThat(appender.list).as("Spring's own trace of the statements").isNotEmpty();
		assertThat(List.copyOf(appender.list)).allSatisfy((event) -> assertNoKey(describe(event)));
		String stored = everythingStored();
		assertThat(stored).as("what is allowed").contains("tok_…ef");
		assertNoKey(stored);
	}

	private static List<Throwable> everyOutcome() {
		List<Throwable> thrown = new ArrayList<>();
		Queue queue = database.builder().keyWait(Duration.ofMillis(30)).build().queue();
		database.transaction().executeWithoutResult((status) -> {
			queue.enqueue("type", 1, OPTIONS);
			thrown.addAll(Race.of(1).run(() -> queue.enqueue("type", 1, OPTIONS)).failures());
			status.setRollbackOnly();
		});
		queue.enqueue("type", 1, OPTIONS);
		queue.enqueue("type", 1, OPTIONS);
		thrown.addAll(0, Race.of(1).run(() -> queue.enqueue("type", 2, OPTIONS)).failures());
		TransactionTemplate readOnly = database.transaction();
		readOnly.setReadOnly(true);
		thrown.addAll(Race.of(1).run(() -> readOnly.execute((status) -> queue.enqueue("type", 1, OPTIONS))).failures());
		thrown.addAll(Race.of(1)
			.run(() -> queue.enqueue("type", 1, EnqueueOptions.idempotencyKey(SECRET + "\0")))
			.failures());
		emit(thrown, readOnly);
		invoke(thrown, readOnly);
		return thrown;
	}

	private static void emit(List<Throwable> thrown, TransactionTemplate readOnly) {
		Conductor conductor = database.builder().keyWait(Duration.ofMillis(30)).build().conductor();
		EmitOptions options = EmitOptions.dedupeKey(SECRET);
		assertNoKey(options.toString());
		database.transaction().executeWithoutResult((status) -> {
			conductor.emit("private", 1, options);
			thrown.addAll(Race.of(1).run(() -> conductor.emit("private", 1, options)).failures());
		});
		conductor.emit("private", 2, options);
		thrown.addAll(
				Race.of(1).run(() -> readOnly.execute((status) -> conductor.emit("private", 1, options))).failures());
		thrown.addAll(Race.of(1).run(() -> EmitOptions.dedupeKey(SECRET + "\0")).failures());
	}

	private static void invoke(List<Throwable> thrown, TransactionTemplate readOnly) {
		Conductor conductor = database.builder().keyWait(Duration.ofMillis(30)).build().conductor();
		InvokeOptions options = InvokeOptions.dedupeKey(SECRET);
		assertNoKey(options.toString());
		assertNoKey(InvokeOptions.throttle(Duration.ofSeconds(1), SECRET).toString());
		database.transaction().executeWithoutResult((status) -> {
			conductor.invoke("private", 1, options);
			thrown.addAll(Race.of(1).run(() -> conductor.invoke("private", 1, options)).failures());
		});
		UUID job = conductor.invoke("private", 2, options);
		StoredState.RUNNING.bringAbout(database.jdbc(), Objects.requireNonNull(job));
		conductor.invoke("private", 3, options);
		conductor.invoke("private", 4, InvokeOptions.throttle(Duration.ofDays(1), SECRET));
		conductor.invoke("private", 5, InvokeOptions.throttle(Duration.ofDays(1), SECRET));
		conductor.invoke("private", 6, InvokeOptions.debounce(Duration.ofDays(1), SECRET));
		assertNoKey(String.valueOf(database.builder().build().jobs().liveKeys(100)));
		thrown.addAll(
				Race.of(1).run(() -> readOnly.execute((status) -> conductor.invoke("private", 1, options))).failures());
		thrown.addAll(Race.of(1).run(() -> InvokeOptions.dedupeKey(SECRET + "\0")).failures());
	}

	private static String everythingStored() {
		List<String> tables = database.jdbc()
			.queryForList("select format('%I.%I', schemaname, tablename) from pg_tables where schemaname in"
					+ " ('workhorse', 'public')", String.class);
		assertThat(tables).contains("workhorse.job", "workhorse.job_run", "workhorse.job_event", "workhorse.event");
		return tables.stream()
			.flatMap((table) -> database.jdbc()
				.queryForList("select t::text from " + table + " as t", String.class)
				.stream())
			.collect(Collectors.joining("\n"));
	}

	private static void assertNoKey(String text) {
		byte[] key = SECRET.getBytes(StandardCharsets.UTF_8);
		assertThat(text).doesNotContain(SECRET)
			.doesNotContain("1234567890")
			.doesNotContain(HexFormat.of().formatHex(key))
			.doesNotContain(Base64.getEncoder().encodeToString(key).substring(0, 30));
	}

	private static String describe(ILoggingEvent event) {
		return event.getFormattedMessage() + event.getMDCPropertyMap()
				+ ((event.getThrowableProxy() != null) ? ThrowableProxyUtil.asString(event.getThrowableProxy()) : "");
	}

	private static String describe(Throwable failure) {
		StringBuilder text = new StringBuilder();
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			text.append(cause).append('\n');
		}
		return text.toString();
	}

	private static List<Appender<ILoggingEvent>> detachAll(Logger logger) {
		List<Appender<ILoggingEvent>> appenders = new ArrayList<>();
		Iterator<Appender<ILoggingEvent>> iterator = logger.iteratorForAppenders();
		iterator.forEachRemaining(appenders::add);
		appenders.forEach(logger::detachAppender);
		return appenders;
	}

}
