package dev.workhorse.docs;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.workhorse.EnqueueOptions;
import dev.workhorse.Queue;
import dev.workhorse.autoconfigure.TestJobStore;
import dev.workhorse.conductor.Conductor;
import dev.workhorse.handler.JobContext;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.handler.PermanentFailureException;
import dev.workhorse.handler.RetryLaterException;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.TestDatabase;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the table in {@code docs/reference/metrics.md} to what a scrape of a whole
 * application shows: the same meters with the same tags, neither more nor less.
 */
class MetricsDocsIntegrationTests {

	private static final Pattern ROW = Pattern
		.compile("(?m)^\\| `(workhorse[a-z.]+)` \\| `(\\w+)` \\|[^|]*\\|([^|]*)\\|");

	private static final Pattern TAG = Pattern.compile("`(\\w+)`(?: \\([^)]*\\))?");

	private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (workhorse\\w+) (\\w+)$");

	private static final Pattern SAMPLE = Pattern.compile("(?m)^(workhorse\\w+)(?:\\{([^}]*)})? ");

	@Test
	void tableIsWhatAScrapeShows() {
		Map<String, Set<String>> documented = documented();
		try (TestDatabase database = TestJobStore.emptyDatabase();
				ConfigurableApplicationContext context = application(database)) {
			useEverything(context);
			PrometheusMeterRegistry registry = context.getBean(PrometheusMeterRegistry.class);
			Map<String, Set<String>> scraped = Await.value("all meters", () -> scraped(registry.scrape()),
					(found) -> found.keySet().containsAll(documented.keySet()));
			context.getBean(Shop.class).end.countDown();
			assertThat(scraped).isEqualTo(documented);
			assertThat(registry.scrape()).contains("workhorse_handler_seconds_bucket")
				.contains("workhorse_jobs{queue=\"elsewhere\",state=\"ready\"}");
		}
	}

	private static void useEverything(ConfigurableApplicationContext context) {
		Queue queue = context.getBean(Queue.class);
		EnqueueOptions key = EnqueueOptions.idempotencyKey("a key that is held");
		queue.enqueue("unhandled", 1, EnqueueOptions.defaults().queue("elsewhere"));
		queue.enqueue("good", 1, key);
		queue.enqueue("good", 1, key);
		context.getBean(Conductor.class).invoke("good", 1);
		context.getBean(Conductor.class).emit("shop.opened", null);
		UUID bad = queue.enqueue("bad", 1);
		TestJobStore.awaitFinished(context, bad);
		UUID slow = queue.enqueue("slow", 1);
		Await.until("slow", () -> context.getBean(Shop.class).running.contains(slow));
		// as the worker says it when a lease is lost or a handler takes too long
		context.getBeansOfType(WorkhorseListener.class).values().forEach((listener) -> {
			listener.onLeaseLost(UUID.randomUUID(), "default", "good");
			listener.onTimeout(UUID.randomUUID(), "default", "good");
			listener.onLateReturn(UUID.randomUUID(), "default", "good", Duration.ofSeconds(1));
		});
	}

	private static Map<String, Set<String>> documented() {
		Map<String, Set<String>> rows = new TreeMap<>();
		Matcher row = ROW.matcher(Book.read(Book.root().resolve("docs/reference/metrics.md")));
		while (row.find()) {
			Set<String> tags = new TreeSet<>();
			TAG.matcher(row.group(3)).results().forEach((tag) -> tags.add(tag.group(1)));
			assertThat(row.group(2)).startsWith(row.group(1).replace('.', '_'));
			rows.put(row.group(2), tags);
		}
		return rows;
	}

	private static Map<String, Set<String>> scraped(String scrape) {
		Map<String, Set<String>> meters = new TreeMap<>();
		TYPE.matcher(scrape)
			.results()
			// the maximum of a timer or summary is a family of its own
			.filter((type) -> !type.group(1).endsWith("_max"))
			.forEach((type) -> meters.put(type.group(1), new TreeSet<>()));
		SAMPLE.matcher(scrape).results().forEach((sample) -> {
			String family = sample.group(1).replaceFirst("_(count|sum|bucket|max)$", "");
			Set<String> tags = meters.getOrDefault(family, meters.get(sample.group(1)));
			if (tags != null && sample.group(2) != null) {
				tags.addAll(Arrays.stream(sample.group(2).split(",(?=\\w+=)"))
					.map((tag) -> tag.substring(0, tag.indexOf('=')))
					.filter((tag) -> !tag.equals("le"))
					.collect(Collectors.toSet()));
			}
		});
		return meters;
	}

	private static ConfigurableApplicationContext application(TestDatabase database) {
		return new SpringApplicationBuilder(Shop.class).web(WebApplicationType.NONE)
			.properties(TestJobStore.properties(database))
			.properties("spring.flyway.enabled=false", "spring.liquibase.enabled=false", "spring.main.banner-mode=off",
					"workhorse.metrics.interval=1s", "workhorse.retention.interval=100ms",
					"workhorse.retention.failed=0s", "workhorse.worker.shutdown-grace=1s",
					"management.metrics.distribution.percentiles-histogram.workhorse.handler=true")
			.run();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Shop {

		private final CountDownLatch end = new CountDownLatch(1);

		private final Set<UUID> running = ConcurrentHashMap.newKeySet();

		@JobHandler("good")
		void good() {
		}

		@JobHandler("bad")
		void bad(JobContext job) {
			if (job.attempt() == 1) {
				throw new RetryLaterException("again", Duration.ofMillis(1));
			}
			throw new PermanentFailureException("bad");
		}

		@JobHandler("slow")
		void slow(JobContext job) throws InterruptedException {
			this.running.add(job.jobId());
			this.end.await();
		}

	}

}
