package dev.workhorse.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.Queue;
import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.WorkerNode;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.Mockito.mock;

class WorkhorseAutoConfigurationIntegrationTests {

	private static TestDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = TestJobStore.emptyDatabase();
	}

	@AfterAll
	static void dropDatabase() {
		database.close();
	}

	@Test
	void starterAndDataSourceAreEnoughToAcceptAndRunJobs() {
		application().withUserConfiguration(Orders.class).run((context) -> {
			UUID id = context.getBean(Queue.class).enqueue("orders.ship", new Order("A-1", 3));
			assertThat(TestJobStore.awaitFinished(context, id)).satisfies((job) -> {
				assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
				assertThat(job.result()).isEqualTo("\"shipped 3 of A-1 in attempt 1\"");
			});
		});
	}

	@Test
	void queueAndJobsAreExposedByTheirInterfaces() {
		application().run((context) -> {
			assertThat(context).hasSingleBean(Workhorse.class).hasSingleBean(Queue.class).hasSingleBean(Jobs.class);
			assertThat(context.getBeanFactory().getBeanDefinition("workhorseQueue").getBeanClassName()).isNull();
			assertThat(context.getBeanFactory().getType("workhorseQueue")).isAssignableTo(Queue.class);
		});
	}

	@Test
	void ownQueueReplacesTheConfiguredOne() {
		Queue own = mock(Queue.class);
		application().withBean("ownQueue", Queue.class, () -> own)
			.run((context) -> assertThat(context.getBean(Queue.class)).isSameAs(own));
	}

	@Test
	void ownWorkhorseReplacesTheConfiguredOneAndIsStarted() {
		Workhorse own = Workhorse.builder(database.dataSource()).schema("own").build();
		own.prepareSchema();
		application().withBean(Workhorse.class, () -> own).run((context) -> {
			assertThat(context.getBean(Queue.class)).isSameAs(own.queue());
			assertThat(own.isRunning()).isTrue();
			assertThat(context).doesNotHaveBean(WorkerConnections.class);
		});
		assertThat(own.isRunning()).isFalse();
	}

	@Test
	void withoutDataSourceNothingIsConfigured() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(WorkhorseAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(Queue.class)
				.doesNotHaveBean(WorkhorseLifecycle.class));
	}

	@Test
	void severalDataSourcesWithoutPrimaryFailTheStartWithAdvice() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(WorkhorseAutoConfiguration.class))
			.withBean("one", DataSource.class, () -> database.newDataSource((config) -> {
			}))
			.withBean("two", DataSource.class, () -> database.newDataSource((config) -> {
			}))
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("[one, two]; mark the one that keeps the jobs with @WorkhorseDataSource"));
	}

	@Test
	void markedDataSourceIsTheOneThatKeepsTheJobs() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(WorkhorseAutoConfiguration.class))
			.withUserConfiguration(TwoDataSources.class)
			.run((context) -> {
				UUID id = context.getBean(Queue.class).enqueue("orders.none", null);
				assertThat(new JdbcTemplate(database.dataSource())
					.queryForObject("select count(*) from workhorse.job where id = ?", Long.class, id)).isEqualTo(1);
			});
	}

	@Test
	void enqueueJoinsTheCallersTransaction() {
		application().run((context) -> {
			UUID id = context.getBean(TransactionTemplate.class).execute((status) -> {
				status.setRollbackOnly();
				return context.getBean(Queue.class).enqueue("orders.none", null);
			});
			assertThat(context.getBean(Jobs.class).find(id)).isEmpty();
		});
	}

	@Test
	void propertiesReachTheJobStore() {
		application()
			.withPropertyValues("workhorse.schema.name=other", "workhorse.enqueue.max-attempts=7",
					"workhorse.enqueue.idempotency-ttl=90m", "workhorse.enqueue.retry-policy=fixed:PT3S",
					"workhorse.worker.name=node-1", "workhorse.worker.queues.mail.concurrency=3",
					"workhorse.worker.queues.bulk.concurrency=2", "workhorse.payload.max-size=64B")
			.run((context) -> {
				Queue queue = context.getBean(Queue.class);
				queue.enqueue("orders.none", null, EnqueueOptions.idempotencyKey("a key of some length"));
				assertThat(new JdbcTemplate(database.dataSource())
					.queryForMap("select max_attempts, retry_policy, key_window_ms from other.job"))
					.isEqualTo(Map.of("max_attempts", 7, "retry_policy", "fixed:PT3S", "key_window_ms", 5_400_000L));
				WorkerNode node = TestJobStore.awaitNode(context);
				assertThat(node.name()).isEqualTo("node-1");
				assertThat(node.queues()).containsExactlyInAnyOrder("mail", "bulk");
				assertThat(node.slots()).isEqualTo(5);
				assertThatIllegalArgumentException().isThrownBy(() -> queue.enqueue("orders.none", "x".repeat(64)))
					.withMessageContaining("payload");
			});
	}

	@Test
	void customizersComeAfterTheProperties() {
		application()
			.withBean(WorkhorseCustomizer.class, () -> (builder) -> builder.name("customized").workOn("own", 2))
			.withPropertyValues("workhorse.worker.name=configured", "workhorse.worker.queues.mail.concurrency=3")
			.run((context) -> {
				WorkerNode node = TestJobStore.awaitNode(context);
				assertThat(node.name()).isEqualTo("customized");
				assertThat(node.queues()).containsExactlyInAnyOrder("mail", "own");
			});
	}

	@Test
	void lazyApplicationRunsJobsFromItsStartOn() {
		UUID id = Workhorse.builder(database.dataSource()).build().queue().enqueue("orders.ship", new Order("A-9", 1));
		application()
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withUserConfiguration(Orders.class)
			.run((context) -> Await.until("run without anybody asking for a bean",
					() -> new JdbcTemplate(database.dataSource()).queryForObject(
							"select count(*) from workhorse.job_outcome where job_id = ?", Long.class, id) == 1));
	}

	@Test
	void childContextUsesTheQueueOfItsParent() {
		application().withUserConfiguration(Orders.class)
			.run((parent) -> new ApplicationContextRunner().withParent(parent)
				.withConfiguration(AutoConfigurations.of(WorkhorseAutoConfiguration.class))
				.withBean(Shop.class)
				.run((child) -> {
					assertThat(child).hasNotFailed();
					child.getSourceApplicationContext(ConfigurableApplicationContext.class).stop();
					assertThat(parent.getBean(Workhorse.class).isRunning()).isTrue();
					assertThat(child.getBean(Queue.class)).isSameAs(parent.getBean(Queue.class));
					assertThat(TestJobStore.awaitFinished(child, child.getBean(Shop.class).order()).state())
						.isEqualTo(JobState.SUCCEEDED);
				}));
	}

	@Test
	void limitsOfAQueueReachTheWorker() {
		application().withBean(Bills.class)
			.withPropertyValues("workhorse.worker.queues.bills.concurrency=8",
					"workhorse.worker.queues.bills.concurrency-per-key=1",
					"workhorse.worker.queues.bills.rate-limit=1000", "workhorse.worker.queues.bills.rate-period=1s",
					"workhorse.worker.poll-interval=50ms")
			.run((context) -> {
				Queue queue = context.getBean(Queue.class);
				List<UUID> ids = new ArrayList<>();
				for (int i = 0; i < 10; i++) {
					ids.add(queue.enqueue("bills.send", i,
							EnqueueOptions.defaults().queue("bills").concurrencyKey("customer")));
				}
				ids.forEach((id) -> TestJobStore.awaitFinished(context, id));
				assertThat(context.getBean(Bills.class).most).hasValue(1);
				assertThat(new JdbcTemplate(database.dataSource())
					.queryForObject("select count(*) from workhorse.queue_rate where queue = 'bills'", Integer.class))
					.isOne();
			});
	}

	@Test
	void listenersAreToldAndMayUseTheDatabaseThemselves() {
		application().withBean(Listener.class).run((context) -> {
			UUID id = context.getBean(Queue.class).enqueue("orders.none", null);
			assertThat(context.getBean(Listener.class).decided).containsExactly(id);
		});
	}

	@Test
	void defaultsOfThePropertiesAreThoseOfTheCore() {
		application().withPropertyValues("workhorse.worker.enabled=false").run((context) -> {
			Workhorse configured = context.getBean(Workhorse.class);
			Workhorse plain = Workhorse.builder(context.getBean(DataSource.class)).workerEnabled(false).build();
			EnqueueOptions options = EnqueueOptions.idempotencyKey("asked for twice");
			UUID id = configured.queue().enqueue("orders.none", null, options);
			assertThat(plain.queue().enqueueWithResult("orders.none", null, options).outcome())
				.isEqualTo(EnqueueOutcome.REPLAYED);
			List<Map<String, Object>> rows = new ArrayList<>();
			for (UUID job : List.of(id,
					plain.queue().enqueue("orders.none", null, EnqueueOptions.idempotencyKey("asked for once")))) {
				rows.add(new JdbcTemplate(database.dataSource()).queryForMap(
						"select max_attempts, retry_policy, key_window_ms from workhorse.job where id = ?", job));
			}
			assertThat(rows.get(0)).isEqualTo(rows.get(1));
		});
	}

	@Test
	void nodeWithoutAWorkerAcceptsJobsAndLeavesThemToOthers() {
		application().withPropertyValues("workhorse.worker.enabled=false")
			.withUserConfiguration(Orders.class)
			.run((context) -> {
				UUID id = context.getBean(Queue.class).enqueue("orders.ship", new Order("A-2", 1));
				assertThat(context.getBean(Workhorse.class).workerStatus().enabled()).isFalse();
				assertThat(context.getBean(Jobs.class).find(id).orElseThrow().state()).isEqualTo(JobState.READY);
				assertThat(context.getBean(Jobs.class).workers()).noneMatch(WorkerNode::alive);
			});
	}

	@Test
	void pepperChangesTheStoredHashOfAKey() {
		String[] peppers = { "workhorse.keys.pepper=one", "workhorse.keys.pepper=two" };
		EnqueueOptions options = EnqueueOptions.idempotencyKey("the same key twice");
		for (String pepper : peppers) {
			application().withPropertyValues(pepper, "workhorse.worker.enabled=false")
				.run((context) -> assertThat(
						context.getBean(Queue.class).enqueueWithResult("orders.none", null, options).outcome())
					.isEqualTo(EnqueueOutcome.ACCEPTED));
		}
	}

	@Test
	void workerStartsAndStopsAndStartsAgain() {
		application().withUserConfiguration(Orders.class).run((context) -> {
			WorkhorseLifecycle lifecycle = context.getBean(WorkhorseLifecycle.class);
			context.stop();
			assertThat(lifecycle.isRunning()).isFalse();
			UUID id = context.getBean(Queue.class).enqueue("orders.ship", new Order("A-3", 1));
			assertThat(context.getBean(Jobs.class).find(id).orElseThrow().state()).isEqualTo(JobState.READY);
			context.start();
			assertThat(TestJobStore.awaitFinished(context, id).state()).isEqualTo(JobState.SUCCEEDED);
		});
	}

	@Test
	void nothingElseStopsWhileAHandlerStillRuns() {
		AtomicReference<UUID> id = new AtomicReference<>();
		application().withUserConfiguration(SlowHandler.class).run((context) -> {
			id.set(context.getBean(Queue.class).enqueue("slow", null));
			context.getBean(SlowHandler.class).started.get(10, TimeUnit.SECONDS);
		});
		assertThat(new JdbcTemplate(database.dataSource())
			.queryForObject("select result::text from workhorse.job_outcome where job_id = ?", String.class, id.get()))
			.isEqualTo("[1]");
	}

	private static ApplicationContextRunner application() {
		return TestJobStore.application(database);
	}

	record Order(String id, int quantity) {

	}

	@Configuration(proxyBeanMethods = false)
	static class Orders {

		@JobHandler("orders.ship")
		String ship(Order order, JobContext context) {
			return "shipped %d of %s in attempt %d".formatted(order.quantity(), order.id(), context.attempt());
		}

	}

	static class Listener implements WorkhorseListener {

		private final List<UUID> decided = new ArrayList<>();

		private final JdbcTemplate jdbc;

		Listener(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Override
		public void onEnqueue(EnqueueDecided decided) {
			this.decided.add(
					this.jdbc.queryForObject("select id from workhorse.job where id = ?", UUID.class, decided.jobId()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDataSources {

		@Bean
		@WorkhorseDataSource
		DataSource jobs() {
			return database.newDataSource((config) -> {
			});
		}

		@Bean
		DataSource other() {
			return new DriverManagerDataSource("jdbc:postgresql://localhost:1/none");
		}

	}

	/**
	 * Goes on while the context stops, and uses the application's pool then.
	 */
	@Configuration(proxyBeanMethods = false)
	static class SlowHandler implements SmartLifecycle {

		private final CompletableFuture<Void> started = new CompletableFuture<>();

		private final CompletableFuture<Void> closing = new CompletableFuture<>();

		private final CompletableFuture<Void> stopped = new CompletableFuture<>();

		private final JdbcTemplate jdbc;

		SlowHandler(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@JobHandler("slow")
		List<Integer> slow() throws Exception {
			this.started.complete(null);
			this.closing.get(10, TimeUnit.SECONDS);
			assertThatExceptionOfType(TimeoutException.class)
				.isThrownBy(() -> this.stopped.get(300, TimeUnit.MILLISECONDS));
			return this.jdbc.queryForList("select 1", Integer.class);
		}

		@EventListener
		void onClose(ContextClosedEvent event) {
			this.closing.complete(null);
		}

		@Override
		public void start() {
		}

		@Override
		public void stop() {
			this.stopped.complete(null);
		}

		@Override
		public boolean isRunning() {
			return !this.stopped.isDone();
		}

		@Override
		public int getPhase() {
			return DEFAULT_PHASE - 1;
		}

	}

	record Shop(Queue queue) {

		UUID order() {
			return this.queue.enqueue("orders.ship", new Order("A-10", 1));
		}

	}

	static class Bills {

		private final AtomicInteger running = new AtomicInteger();

		private final AtomicInteger most = new AtomicInteger();

		@JobHandler("bills.send")
		void send(int number) {
			this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
			LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
			this.running.decrementAndGet();
		}

	}

}
