package dev.workhorse.autoconfigure;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.Queue;
import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.handler.PermanentFailureException;
import dev.workhorse.operations.JobDetails;
import dev.workhorse.operations.JobState;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.annotation.AliasFor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

class JobHandlerIntegrationTests {

	private static TestDatabase database;

	private static ConfigurableApplicationContext payloads;

	@BeforeAll
	static void createDatabase() {
		database = TestJobStore.migratedDatabase();
		payloads = new SpringApplicationBuilder(Payloads.class, Inherited.class, Infrastructure.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties(TestJobStore.properties(database))
			.properties("workhorse.worker.queues.payloads.concurrency=10")
			.run();
	}

	@AfterAll
	static void dropDatabase() {
		payloads.close();
		database.close();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			record     | {"id":"A-1","price":1.5} | "A-1 costs 1.5"
			list       | [{"id":"A","price":1},{"id":"B","price":2}] | "A costs 1, B costs 2"
			map        | {"a":1} | "a"
			tree       | {"a":{"b":[1]}} | {"a":{"b":[1]}}
			string     | "text" | "text!"
			bytes      | "AQID" | 3
			nothing    | {"ignored":true} | "nothing"
			context    | {"ignored":true} | "context 1"
			reversed   | {"id":"A-1","price":2} | "reversed A-1 costs 2"
			optional   | null | "none"
			composed   | null | "composed"
			inherited  | {"id":"A-1","price":2} | "inherited A-1 costs 2"
			""")
	void payloadIsReadAsTheDeclaredTypeAndTheReturnValueIsTheResult(String type, String payload, String result)
			throws Exception {
		JobDetails job = run(payloads, type, new ObjectMapper().readTree(payload));
		assertThat(job.errors()).isEmpty();
		assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(job.result()).isEqualToIgnoringWhitespace(result);
	}

	@Test
	void voidMethodHasNoResult() {
		assertThat(run(payloads, "void", "text").result()).isNull();
	}

	@Test
	void exceptionOfTheMethodIsTheErrorOfTheAttempt() {
		UUID id = payloads.getBean(Queue.class).enqueue("checked", null, queueOf(payloads));
		JobDetails job = TestJobStore.awaitState(payloads, id, JobState.SCHEDULED);
		assertThat(job.errors()).singleElement()
			.satisfies((error) -> assertThat(error.type()).isEqualTo(IOException.class.getName()))
			.satisfies((error) -> assertThat(error.message()).isEqualTo("no route"));
	}

	@Test
	void permanentFailureOfTheMethodEndsTheJob() {
		assertThat(run(payloads, "permanent", null).state()).isEqualTo(JobState.FAILED);
	}

	@Test
	void exceptionsThatAreNotRetriedAreThoseOfTheAnnotation() {
		assertThat(run(payloads, "picky", null).attempt()).isOne();
	}

	@Test
	void annotationDecidesAboutAttempts() {
		JobDetails job = run(payloads, "twice", null);
		assertThat(job.state()).isEqualTo(JobState.FAILED);
		assertThat(job.attempt()).isEqualTo(2);
	}

	@Test
	void annotationDecidesAboutRetention() {
		UUID job = run(payloads, "brief", null).id();
		assertThat(new JdbcTemplate(database.dataSource()).queryForObject(
				"select keep_until - finished_at = interval '1 hour' from workhorse.job_outcome" + " where job_id = ?",
				Boolean.class, job))
			.isTrue();
	}

	@Test
	void handlerBehindAJdkProxyIsCalledThroughIt() {
		application().withPropertyValues("spring.aop.proxy-target-class=false")
			.withUserConfiguration(Transactions.class)
			.withBean(ByInterface.class, ByInterfaceHandler::new)
			.run((context) -> {
				assertThat(AopUtils.isJdkDynamicProxy(context.getBean(ByInterface.class))).isTrue();
				assertThat(run(context, "by-interface", null).result()).isEqualTo("true");
			});
	}

	@Test
	void packagePrivateHandlerBehindAClassProxyIsCalledThroughIt() {
		application().withUserConfiguration(ClassTransactions.class)
			.withBean(ByClass.class, ByClass::new)
			.run((context) -> {
				assertThat(AopUtils.isCglibProxy(context.getBean(ByClass.class))).isTrue();
				assertThat(run(context, "by-class", null).result()).isEqualTo("true");
			});
	}

	@Test
	void handlerIsFoundOnABeanThatIsDeclaredByAnInterface() {
		application().withUserConfiguration(DeclaredByInterface.class)
			.run((context) -> assertThat(run(context, "hidden", null).result()).isEqualTo("\"found\""));
	}

	@Test
	void handlerIsFoundBehindAHandMadeProxy() {
		application().withUserConfiguration(HandMadeProxy.class)
			.run((context) -> assertThat(run(context, "by-interface", null).result()).isEqualTo("false"));
	}

	@Test
	void lazyHandlerIsCreatedByItsFirstJob() {
		application().withUserConfiguration(LazyHandler.class).run((context) -> {
			assertThat(context.getBean(Workhorse.class).workerStatus().types()).contains("lazy");
			int before = LazyBean.created.get();
			assertThat(before).isZero();
			assertThat(run(context, "lazy", null).result()).isEqualTo("1");
		});
	}

	@Test
	void handlersRunWhereEveryBeanIsLazy() {
		application()
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withUserConfiguration(Payloads.class)
			.run((context) -> assertThat(run(context, "nothing", null).result()).isEqualTo("\"nothing\""));
	}

	@Test
	void scopedHandlerIsFoundOnceAndCreatedForEachAttempt() {
		application().withUserConfiguration(PrototypeHandler.class).run((context) -> {
			int before = PrototypeBean.created.get();
			assertThat(run(context, "prototype", null).state()).isEqualTo(JobState.SUCCEEDED);
			assertThat(run(context, "prototype", null).state()).isEqualTo(JobState.SUCCEEDED);
			assertThat(PrototypeBean.created.get()).isEqualTo(before + 2);
		});
	}

	@Test
	void twoHandlersForOneTypeFailTheStartNamingBoth() {
		assertFails(Twins.class, "Two handlers for job type 'twin'", "Twins.one()", "Twins.two()",
				"keep one of them or give it another type");
	}

	@Test
	void unusableSignaturesFailTheStartWithAdvice() {
		assertFails(TwoPayloads.class, "TwoPayloads.handle(String, String)", "more than one payload");
		assertFails(TwoContexts.class, "takes the JobContext twice");
		assertFails(Static.class, "is static");
		assertFails(OpenType.class, "takes a payload of the open type java.util.List<T>");
		assertFails(Asynchronous.class, "returns java.util.concurrent.CompletableFuture", "wait for the work");
	}

	@Test
	void attributesOutOfBoundsFailTheStart() {
		assertFails(TooManyAttempts.class, "'maxAttempts' must be 1 to 100", "TooManyAttempts.handle()");
		assertFails(BadPolicy.class, "'retryPolicy' must be 'polynomial', 'fixed:<delay>'");
		assertFails(BadRetention.class, "'failedRetention' must be an ISO-8601 duration such as PT1H");
		assertFails(NegativeRetention.class, "'cancelledRetention' must be 0 to 3,650 days");
		assertFails(NoType.class, "'type' must be 1 to 256 UTF-8 bytes");
	}

	@Test
	void methodThatAProxyHidesFailsTheStart() {
		application().withPropertyValues("spring.aop.proxy-target-class=false")
			.withUserConfiguration(Transactions.class)
			.withBean(ByInterface.class, HiddenHandler::new)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("HiddenHandler.hidden() of bean")
				.hasStackTraceContaining("cannot be called through the proxy"));
		application().withUserConfiguration(ClassTransactions.class)
			.withBean(FinalMethod.class, FinalMethod::new)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("FinalMethod.handle() of bean")
				.hasStackTraceContaining("is final"));
	}

	private static void assertFails(Class<?> configuration, String... message) {
		application().withUserConfiguration(configuration)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(StartupException.class)
				.message()
				.contains(message));
	}

	private static JobDetails run(BeanFactory context, String type, Object payload) {
		return TestJobStore.awaitFinished(context,
				context.getBean(Queue.class).enqueue(type, payload, queueOf(context)));
	}

	// the shared application and that of a test must not take each other's jobs
	private static EnqueueOptions queueOf(BeanFactory context) {
		EnqueueOptions options = EnqueueOptions.defaults();
		return (context == payloads) ? options.queue("payloads") : options;
	}

	private static ApplicationContextRunner application() {
		return TestJobStore.application(database);
	}

	record Item(String id, BigDecimal price) {

		@Override
		public String toString() {
			return this.id + " costs " + this.price;
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@JobHandler("")
	@interface Composed {

		@AliasFor(annotation = JobHandler.class, attribute = "value")
		String name();

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, WorkhorseAutoConfiguration.class })
	static class Infrastructure {

	}

	@Configuration(proxyBeanMethods = false)
	static class Payloads {

		@JobHandler("record")
		String one(Item item) {
			return item.toString();
		}

		@SuppressWarnings("unused")
		@JobHandler("list")
		private String list(List<Item> items) {
			return String.join(", ", items.stream().map(Item::toString).toList());
		}

		@JobHandler("map")
		protected String map(Map<String, Integer> map) {
			return map.keySet().iterator().next();
		}

		@JobHandler("tree")
		JsonNode tree(JsonNode tree) {
			return tree;
		}

		@JobHandler("string")
		String string(String text) {
			return text + "!";
		}

		@JobHandler("bytes")
		int bytes(byte[] bytes) {
			return bytes.length;
		}

		@JobHandler("nothing")
		String nothing() {
			return "nothing";
		}

		@JobHandler("context")
		String context(JobContext context) {
			return "context " + context.attempt();
		}

		@JobHandler("reversed")
		String reversed(JobContext context, Item item) {
			return context.type() + " " + item;
		}

		@JobHandler("optional")
		String optional(Item item) {
			return (item != null) ? item.toString() : "none";
		}

		@Composed(name = "composed")
		String composed() {
			return "composed";
		}

		@JobHandler("void")
		void none(String text) {
		}

		@JobHandler("checked")
		void checked() throws IOException {
			throw new IOException("no route");
		}

		@JobHandler("permanent")
		void permanent() {
			throw new PermanentFailureException("no use");
		}

		@JobHandler(value = "picky", noRetryFor = IllegalArgumentException.class)
		void picky() {
			throw new NumberFormatException("not a number");
		}

		@JobHandler(value = "brief", succeededRetention = "PT1H")
		void brief() {
		}

		@JobHandler(value = "twice", maxAttempts = 2, retryPolicy = "fixed:PT0.001S")
		void twice() {
			throw new IllegalStateException("again");
		}

	}

	abstract static class Generic<T> {

		@JobHandler("inherited")
		String handle(T payload) {
			return "inherited " + payload;
		}

	}

	static final class Inherited extends Generic<Item> {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(proxyTargetClass = true)
	static class ClassTransactions {

	}

	interface ByInterface {

		boolean handle();

	}

	static final class ByInterfaceHandler implements ByInterface {

		@Override
		@Transactional
		@JobHandler("by-interface")
		public boolean handle() {
			return TransactionSynchronizationManager.isActualTransactionActive();
		}

	}

	static class HiddenHandler implements ByInterface {

		@Override
		@Transactional
		public boolean handle() {
			return true;
		}

		@JobHandler("hidden")
		void hidden() {
		}

	}

	static class ByClass {

		private final boolean fieldsAreThere = true;

		@Transactional
		@JobHandler("by-class")
		boolean handle() {
			return this.fieldsAreThere && TransactionSynchronizationManager.isActualTransactionActive();
		}

	}

	static class FinalMethod {

		@Transactional
		void other() {
		}

		@JobHandler("final")
		final void handle() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredByInterface {

		@Bean
		Runnable hidden() {
			return new Runnable() {

				@Override
				public void run() {
				}

				@SuppressWarnings("unused")
				@JobHandler("hidden")
				String handle() {
					return "found";
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HandMadeProxy {

		@Bean
		ByInterface proxy() {
			return (ByInterface) new ProxyFactory(new ByInterfaceHandler()).getProxy();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyHandler {

		@Bean
		@Lazy
		LazyBean lazyBean() {
			return new LazyBean();
		}

	}

	static class LazyBean {

		static final AtomicInteger created = new AtomicInteger();

		LazyBean() {
			created.incrementAndGet();
		}

		@JobHandler("lazy")
		int handle() {
			return created.get();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrototypeHandler {

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		PrototypeBean prototypeBean() {
			return new PrototypeBean();
		}

	}

	static class PrototypeBean {

		static final AtomicInteger created = new AtomicInteger();

		PrototypeBean() {
			created.incrementAndGet();
		}

		@JobHandler("prototype")
		void handle() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Twins {

		@JobHandler("twin")
		void one() {
		}

		@JobHandler("twin")
		void two() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoPayloads {

		@JobHandler("bad")
		void handle(String one, String two) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoContexts {

		@JobHandler("bad")
		void handle(JobContext one, JobContext two) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Static {

		@JobHandler("bad")
		static void handle() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OpenType {

		@JobHandler("bad")
		<T> void handle(List<T> payload) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Asynchronous {

		@JobHandler("bad")
		CompletableFuture<String> handle() {
			return CompletableFuture.completedFuture("done");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TooManyAttempts {

		@JobHandler(value = "bad", maxAttempts = 101)
		void handle() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BadPolicy {

		@JobHandler(value = "bad", retryPolicy = "sometimes")
		void handle() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BadRetention {

		@JobHandler(value = "bad", failedRetention = "1d")
		void handle() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NegativeRetention {

		@JobHandler(value = "bad", cancelledRetention = "-PT1S")
		void handle() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NoType {

		@JobHandler(" ")
		void handle() {
		}

	}

}
