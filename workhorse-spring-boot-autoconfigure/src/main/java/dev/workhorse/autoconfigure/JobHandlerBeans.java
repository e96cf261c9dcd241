package dev.workhorse.autoconfigure;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.workhorse.InvalidRequestException;
import dev.workhorse.RetryPolicy;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.handler.HandlerRetention;
import dev.workhorse.handler.JobHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * The handler methods of the application's beans. They are looked for when all singletons
 * exist, because only then the class of a bean that was declared by an interface is
 * known; other beans are judged by their declared class and not created.
 */
final class JobHandlerBeans implements SmartInitializingSingleton, Supplier<Collection<HandlerDefinition>> {

	private static final Logger logger = LoggerFactory.getLogger(JobHandlerBeans.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private volatile List<HandlerDefinition> definitions = List.of();

	JobHandlerBeans(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Map<String, HandlerDefinition> found = new LinkedHashMap<>();
		for (String beanName : this.beanFactory.getBeanNamesForType(Object.class, true, false)) {
			if (!ScopedProxyUtils.isScopedTarget(beanName)) {
				collect(beanName, found);
			}
		}
		this.definitions = List.copyOf(found.values());
	}

	@Override
	public Collection<HandlerDefinition> get() {
		return this.definitions;
	}

	private void collect(String beanName, Map<String, HandlerDefinition> found) {
		Class<?> beanClass = beanClass(beanName);
		if (beanClass == null) {
			return;
		}
		Map<Method, JobHandler> methods = handlerMethods(beanClass);
		methods.forEach((method, annotation) -> {
			HandlerDefinition definition = define(beanName, beanClass, method, annotation);
			HandlerDefinition other = found.putIfAbsent(definition.type(), definition);
			if (other != null) {
				throw new StartupException("Two handlers for job type '%s': %s and %s".formatted(definition.type(),
						other.handler(), definition.handler()), "keep one of them or give it another type", null);
			}
		});
	}

	static Map<Method, JobHandler> handlerMethods(Class<?> beanClass) {
		if (!AnnotationUtils.isCandidateClass(beanClass, JobHandler.class)) {
			return Map.of();
		}
		try {
			return MethodIntrospector.selectMethods(beanClass,
					(MethodIntrospector.MetadataLookup<JobHandler>) (method) -> AnnotatedElementUtils
						.findMergedAnnotation(method, JobHandler.class));
		}
		catch (IllegalStateException | LinkageError ex) {
			logger.debug("Looked for no handlers in {}, which refers to classes that are not there", beanClass, ex);
			return Map.of();
		}
	}

	private @Nullable Class<?> beanClass(String beanName) {
		Class<?> type = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
		if (type != null && ScopedObject.class.isAssignableFrom(type)) {
			type = AutoProxyUtils.determineTargetClass(this.beanFactory, ScopedProxyUtils.getTargetBeanName(beanName));
		}
		if (type != null && Proxy.isProxyClass(type) && this.beanFactory.containsSingleton(beanName)) {
			type = AopProxyUtils.ultimateTargetClass(this.beanFactory.getBean(beanName));
		}
		return (type != null) ? ClassUtils.getUserClass(type) : null;
	}

	private HandlerDefinition define(String beanName, Class<?> beanClass, Method method, JobHandler annotation) {
		JobHandlerMethod handler = new JobHandlerMethod(this.beanFactory, beanName, beanClass, method);
		Class<?> type = this.beanFactory.getType(beanName, false);
		handler.checkInvocable((type != null) ? type : beanClass);
		try {
			return new HandlerDefinition(annotation.value(), handler.payloadType(), maxAttempts(annotation),
					retryPolicy(annotation), List.of(annotation.noRetryFor()), annotation.transactional(),
					retention(annotation), JobHandlerSubscriptions.of(annotation, handler), handler);
		}
		catch (InvalidRequestException ex) {
			throw new StartupException("%s: '%s' must be %s".formatted(handler, ex.field(), ex.bound()),
					"correct the annotation", ex);
		}
	}

	private static @Nullable Integer maxAttempts(JobHandler annotation) {
		return (annotation.maxAttempts() != 0) ? annotation.maxAttempts() : null;
	}

	private static @Nullable RetryPolicy retryPolicy(JobHandler annotation) {
		return (StringUtils.hasLength(annotation.retryPolicy())) ? RetryPolicy.parse(annotation.retryPolicy()) : null;
	}

	private static HandlerRetention retention(JobHandler annotation) {
		return new HandlerRetention(duration("succeededRetention", annotation.succeededRetention()),
				duration("failedRetention", annotation.failedRetention()),
				duration("cancelledRetention", annotation.cancelledRetention()));
	}

	private static @Nullable Duration duration(String field, String text) {
		try {
			return (StringUtils.hasLength(text)) ? Duration.parse(text) : null;
		}
		catch (DateTimeParseException ex) {
			throw new InvalidRequestException(field, "an ISO-8601 duration such as PT1H", "'" + text + "'");
		}
	}

}
