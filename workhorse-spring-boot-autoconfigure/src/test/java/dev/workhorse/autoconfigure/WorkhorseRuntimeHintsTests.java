package dev.workhorse.autoconfigure;

import java.util.List;

import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.JobHandler;
import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.aot.BeanRegistrationCode;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.orm.jpa.JpaTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class WorkhorseRuntimeHintsTests {

	private final RuntimeHints hints = new RuntimeHints();

	@Test
	void statementsAndChangelogAreKept() {
		new WorkhorseRuntimeHints().registerHints(this.hints, getClass().getClassLoader());
		for (String resource : List.of("dev/workhorse/db/changelog.sql",
				"dev/workhorse/internal/worker/claim-jobs.sql")) {
			assertThat(getClass().getClassLoader().getResource(resource)).isNotNull();
			assertThat(RuntimeHintsPredicates.resource().forResource(resource)).accepts(this.hints);
		}
	}

	@Test
	void dataSourceOfAJpaTransactionManagerIsFound() throws Exception {
		new WorkhorseRuntimeHints().registerHints(this.hints, getClass().getClassLoader());
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(JpaTransactionManager.class.getMethod("getDataSource"))).accepts(this.hints);
	}

	@Test
	void handlerMethodsPayloadsAndResultsAreKept() throws Exception {
		BeanRegistrationAotContribution contribution = process(Handler.class);
		GenerationContext context = mock(GenerationContext.class);
		given(context.getRuntimeHints()).willReturn(this.hints);
		contribution.applyTo(context, mock(BeanRegistrationCode.class));
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(Handler.class.getDeclaredMethod("handle", List.class, JobContext.class)))
			.accepts(this.hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(Order.class)).accepts(this.hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(Receipt.class)).accepts(this.hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(JobContext.class)).rejects(this.hints);
	}

	@Test
	void otherBeansAreLeftAlone() {
		assertThat(process(String.class)).isNull();
	}

	private static BeanRegistrationAotContribution process(Class<?> beanClass) {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory.registerBeanDefinition("bean", new RootBeanDefinition(beanClass));
		BeanRegistrationAotProcessor processor = AotServices.factories()
			.load(BeanRegistrationAotProcessor.class)
			.stream()
			.filter(JobHandlerAotProcessor.class::isInstance)
			.findFirst()
			.orElseThrow();
		return processor.processAheadOfTime(RegisteredBean.of(beanFactory, "bean"));
	}

	record Order(String id) {

	}

	record Receipt(String id) {

	}

	static class Handler {

		@JobHandler("orders")
		Receipt handle(List<Order> orders, JobContext context) {
			return new Receipt(orders.get(0).id());
		}

	}

}
