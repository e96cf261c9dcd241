package dev.workhorse.autoconfigure;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;

import dev.workhorse.handler.EventMetadata;
import dev.workhorse.handler.JobContext;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;

/**
 * Keeps handler methods, payloads and results reachable in a native image.
 */
final class JobHandlerAotProcessor implements BeanRegistrationAotProcessor {

	private final BindingReflectionHintsRegistrar json = new BindingReflectionHintsRegistrar();

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> beanClass = ClassUtils.getUserClass(bean.getBeanClass());
		Set<Method> methods = JobHandlerBeans.handlerMethods(beanClass).keySet();
		if (methods.isEmpty()) {
			return null;
		}
		return (context, code) -> methods.forEach((method) -> register(context.getRuntimeHints().reflection(), method));
	}

	private void register(ReflectionHints hints, Method method) {
		hints.registerMethod(method, ExecutableMode.INVOKE);
		Arrays.stream(method.getGenericParameterTypes())
			.filter((type) -> type != JobContext.class && type != EventMetadata.class)
			.forEach((type) -> this.json.registerReflectionHints(hints, type));
		this.json.registerReflectionHints(hints, method.getGenericReturnType());
	}

}
