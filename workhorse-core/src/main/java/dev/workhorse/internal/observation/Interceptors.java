package dev.workhorse.internal.observation;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import dev.workhorse.handler.JobContext;
import dev.workhorse.observation.EmitCall;
import dev.workhorse.observation.EnqueueCall;
import dev.workhorse.observation.WorkhorseInterceptor;

/**
 * Goes through all interceptors, the first one outermost.
 */
public final class Interceptors implements WorkhorseInterceptor {

	private final List<WorkhorseInterceptor> interceptors;

	public Interceptors(List<WorkhorseInterceptor> interceptors) {
		this.interceptors = interceptors;
	}

	@Override
	public <T> T aroundEnqueue(EnqueueCall call, Supplier<T> proceed) {
		return around(proceed, (interceptor, inner) -> interceptor.aroundEnqueue(call, inner));
	}

	@Override
	public <T> T aroundEmit(EmitCall call, Supplier<T> proceed) {
		return around(proceed, (interceptor, inner) -> interceptor.aroundEmit(call, inner));
	}

	private <T> T around(Supplier<T> proceed, BiFunction<WorkhorseInterceptor, Supplier<T>, T> one) {
		Supplier<T> next = proceed;
		for (int i = this.interceptors.size() - 1; i >= 0; i--) {
			WorkhorseInterceptor interceptor = this.interceptors.get(i);
			Supplier<T> inner = next;
			next = () -> one.apply(interceptor, inner);
		}
		return next.get();
	}

	@Override
	public <T> T aroundAttempt(JobContext job, Map<String, String> traceContext, Callable<T> proceed) throws Exception {
		Callable<T> next = proceed;
		for (int i = this.interceptors.size() - 1; i >= 0; i--) {
			WorkhorseInterceptor interceptor = this.interceptors.get(i);
			Callable<T> inner = next;
			next = () -> interceptor.aroundAttempt(job, traceContext, inner);
		}
		return next.call();
	}

}
