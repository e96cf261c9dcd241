package dev.workhorse.autoconfigure;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import dev.workhorse.handler.Handler;
import dev.workhorse.handler.JobContext;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * A handler method on a bean. The bean is asked for at every attempt, so that lazy and
 * scoped beans are created no earlier than their first job.
 */
final class JobHandlerMethod implements Handler {

	private final BeanFactory beanFactory;

	private final String beanName;

	private final Method method;

	private final JobHandlerSignature signature;

	/** The method to call on a bean of a class, which for a proxy is another one. */
	private final Map<Class<?>, Method> invocable = new ConcurrentHashMap<>();

	JobHandlerMethod(BeanFactory beanFactory, String beanName, Class<?> beanClass, Method method) {
		this.beanFactory = beanFactory;
		this.beanName = beanName;
		this.method = method;
		this.signature = JobHandlerSignature.of(method, beanClass, toString());
	}

	Type payloadType() {
		return this.signature.payloadType();
	}

	boolean takesEvent() {
		return this.signature.eventIndex() >= 0;
	}

	/**
	 * Check that the method can be called on the bean.
	 * @param type the type of the bean, possibly a proxy
	 */
	void checkInvocable(Class<?> type) {
		invocable(type);
	}

	@Override
	public @Nullable Object handle(@Nullable Object payload, JobContext context) throws Exception {
		Object bean = this.beanFactory.getBean(this.beanName);
		Method target = this.invocable.computeIfAbsent(bean.getClass(), this::invocable);
		try {
			return target.invoke(bean, this.signature.arguments(payload, context));
		}
		catch (InvocationTargetException ex) {
			throw unwrap(ex.getTargetException());
		}
	}

	private static Exception unwrap(Throwable thrown) {
		Throwable cause = (thrown instanceof UndeclaredThrowableException && thrown.getCause() != null)
				? thrown.getCause() : thrown;
		if (cause instanceof Error error) {
			throw error;
		}
		return (cause instanceof Exception exception) ? exception : new UndeclaredThrowableException(cause);
	}

	private Method invocable(Class<?> type) {
		JobHandlerSignature.checkProxy(this.method, type, toString());
		try {
			Method selected = AopUtils.selectInvocableMethod(this.method, type);
			ReflectionUtils.makeAccessible(selected);
			return selected;
		}
		catch (IllegalStateException ex) {
			throw new StartupException(this + " cannot be called through the proxy around its bean",
					"declare the method in an interface of the bean, or let the bean be proxied by its class "
							+ "(spring.aop.proxy-target-class=true) and the method not be private",
					ex);
		}
	}

	@Override
	public String toString() {
		String parameters = Arrays.stream(this.method.getParameterTypes())
			.map(Class::getSimpleName)
			.collect(Collectors.joining(", "));
		return "@JobHandler method %s.%s(%s) of bean '%s'".formatted(this.method.getDeclaringClass().getName(),
				this.method.getName(), parameters, this.beanName);
	}

}
