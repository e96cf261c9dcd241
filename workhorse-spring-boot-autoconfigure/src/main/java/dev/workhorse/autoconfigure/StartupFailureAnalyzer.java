package dev.workhorse.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.StringUtils;

/**
 * Prints a {@link StartupException} as a description and an action instead of a stack
 * trace.
 */
final class StartupFailureAnalyzer extends AbstractFailureAnalyzer<StartupException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, StartupException cause) {
		return new FailureAnalysis(cause.description() + ".", StringUtils.capitalize(cause.action()) + ".", cause);
	}

}
