package dev.workhorse.internal.worker;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * What is logged between its creation and its end.
 */
final class Logs implements AutoCloseable {

	private final Logger logger = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

	private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent event) {
			Logs.this.events.add(event);
		}

	};

	Logs() {
		this.appender.setContext(this.logger.getLoggerContext());
		this.appender.start();
		this.logger.addAppender(this.appender);
	}

	List<String> containing(String text) {
		return this.events.stream()
			.map((event) -> event.getLevel() + " " + event.getFormattedMessage())
			.filter((line) -> line.contains(text))
			.toList();
	}

	List<String> warnings() {
		return this.events.stream()
			.filter((event) -> event.getLevel().isGreaterOrEqual(Level.WARN))
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	/**
	 * What was logged with a stack trace, or in several lines.
	 */
	List<String> traces() {
		return this.events.stream()
			.filter((event) -> event.getThrowableProxy() != null || event.getFormattedMessage().contains("\n"))
			.map((event) -> event.getLoggerName() + ": " + event.getFormattedMessage())
			.toList();
	}

	@Override
	public void close() {
		this.logger.detachAppender(this.appender);
		this.appender.stop();
	}

}
