package dev.workhorse.autoconfigure;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

import dev.workhorse.handler.EventMetadata;
import dev.workhorse.handler.JobContext;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.SpringProxy;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * What a handler method takes.
 *
 * @param payloadType what the payload is read as; any type if the method takes none
 * @param payloadIndex the position of the payload among the arguments, or -1
 * @param contextIndex the position of the context among the arguments, or -1
 * @param eventIndex the position of the event among the arguments, or -1
 */
record JobHandlerSignature(Type payloadType, int payloadIndex, int contextIndex, int eventIndex) {

	private static final String[] ASYNCHRONOUS = { "java.util.concurrent.CompletionStage",
			"org.reactivestreams.Publisher", "kotlinx.coroutines.flow.Flow" };

	private static final String CONTINUATION = "kotlin.coroutines.Continuation";

	static JobHandlerSignature of(Method method, Class<?> beanClass, String description) {
		check(method, description);
		int payloadIndex = -1;
		int contextIndex = -1;
		int eventIndex = -1;
		Type payloadType = Object.class;
		for (int i = 0; i < method.getParameterCount(); i++) {
			if (method.getParameterTypes()[i] == JobContext.class) {
				reject(contextIndex >= 0, description + " takes the JobContext twice", "keep one of them");
				contextIndex = i;
				continue;
			}
			if (method.getParameterTypes()[i] == EventMetadata.class) {
				reject(eventIndex >= 0, description + " takes the EventMetadata twice", "keep one of them");
				eventIndex = i;
				continue;
			}
			reject(payloadIndex >= 0, description + " takes more than one payload",
					"let it take one payload, a JobContext, EventMetadata, or some of these; several values belong into one record");
			payloadIndex = i;
			payloadType = payloadType(method, i, beanClass, description);
		}
		return new JobHandlerSignature(payloadType, payloadIndex, contextIndex, eventIndex);
	}

	private static void check(Method method, String description) {
		reject(Modifier.isStatic(method.getModifiers()), description + " is static", "make it an instance method");
		for (Class<?> parameter : method.getParameterTypes()) {
			reject(parameter.getName().equals(CONTINUATION), description + " is a suspending function",
					"make it an ordinary function, which may block");
		}
		reject(isAsynchronous(method.getReturnType()),
				description + " returns " + method.getReturnType().getName()
						+ ", so the job would count as done before its work is",
				"wait for the work in the method and return its result; a handler may block");
	}

	private static boolean isAsynchronous(Class<?> type) {
		if (Future.class.isAssignableFrom(type) || Flow.Publisher.class.isAssignableFrom(type)) {
			return true;
		}
		for (String name : ASYNCHRONOUS) {
			ClassLoader classLoader = JobHandlerSignature.class.getClassLoader();
			if (ClassUtils.isPresent(name, classLoader)
					&& ClassUtils.resolveClassName(name, classLoader).isAssignableFrom(type)) {
				return true;
			}
		}
		return false;
	}

	private static Type payloadType(Method method, int index, Class<?> beanClass, String description) {
		Type declared = method.getGenericParameterTypes()[index];
		if (declared instanceof Class<?>) {
			return declared;
		}
		Type resolved = GenericTypeResolver.resolveType(declared, beanClass);
		reject(hasVariable(ResolvableType.forType(resolved)),
				description + " takes a payload of the open type " + declared.getTypeName(), "declare a concrete type");
		return resolved;
	}

	private static boolean hasVariable(ResolvableType type) {
		return type.getType() instanceof TypeVariable<?>
				|| Arrays.stream(type.getGenerics()).anyMatch((generic) -> hasVariable(generic))
				|| (type.isArray() && hasVariable(type.getComponentType()));
	}

	static void checkProxy(Method method, Class<?> type, String description) {
		boolean byClass = SpringProxy.class.isAssignableFrom(type) && method.getDeclaringClass().isAssignableFrom(type);
		reject(byClass && Modifier.isFinal(method.getModifiers()),
				description + " is final, so the proxy around its bean cannot pass it on", "make it not final");
	}

	private static void reject(boolean condition, String description, String action) {
		if (condition) {
			throw new StartupException(description, action, null);
		}
	}

	@Nullable Object[] arguments(@Nullable Object payload, JobContext context) {
		@Nullable Object[] arguments = new Object[1 + Math.max(this.payloadIndex, Math.max(this.contextIndex, this.eventIndex))];
		if (this.payloadIndex >= 0) {
			arguments[this.payloadIndex] = payload;
		}
		if (this.contextIndex >= 0) {
			arguments[this.contextIndex] = context;
		}
		if (this.eventIndex >= 0) {
			arguments[this.eventIndex] = context.event();
		}
		return arguments;
	}

}
