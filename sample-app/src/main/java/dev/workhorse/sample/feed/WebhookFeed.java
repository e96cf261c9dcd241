package dev.workhorse.sample.feed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import dev.workhorse.operations.Jobs;
import dev.workhorse.sample.feed.ChangesTour.Step;
import dev.workhorse.sample.feed.FeedResult.Paid;
import dev.workhorse.sample.webhooks.HandledDeliveries;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Once the application is up, sends it deliveries over HTTP, waits until their jobs have
 * run, and reports. Started again on the same database it sends the same deliveries: they
 * are then recognised, and nothing runs twice.
 */
@Component
@ConditionalOnBooleanProperty("sample.feed")
final class WebhookFeed {

	private static final Logger logger = LoggerFactory.getLogger(WebhookFeed.class);

	private static final int SENDERS = 4;

	private static final int SUBSCRIBERS = 2;

	private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

	private final Jobs jobs;

	private final HandledDeliveries handled;

	private final JsonMapper json;

	private final ExecutorService feeder = Executors.newSingleThreadExecutor((task) -> new Thread(task, "feed"));

	private final ExecutorService senders = Executors.newFixedThreadPool(SENDERS);

	WebhookFeed(Jobs jobs, HandledDeliveries handled, JsonMapper json) {
		this.jobs = jobs;
		this.handled = handled;
		this.json = json;
	}

	@EventListener
	void onReady(ApplicationReadyEvent ready) {
		String port = ready.getApplicationContext().getEnvironment().getRequiredProperty("local.server.port");
		this.feeder.execute(() -> report("http://localhost:" + port));
	}

	private void report(String url) {
		try {
			logger.info("Sending webhooks to {}/webhooks/github", url);
			FeedResult result = run(new ShopClient(url, this.json));
			logger.info("What became of them:\n\n{}", FeedReport.of(result));
			logger.info("Still serving on {} - try: curl {}", url, url);
			logger.info("and: curl {}/summary, curl {}/actuator/workhorse", url, url);
		}
		catch (Exception ex) {
			if (!this.feeder.isShutdown()) {
				logger.error("The feed broke off", ex);
			}
		}
	}

	private FeedResult run(ShopClient client) throws InterruptedException, ExecutionException {
		List<Delivery> deliveries = Delivery.recorded(this.json);
		FeedPlan plan = FeedPlan.of(deliveries);
		long start = System.nanoTime();
		List<Answer> answers = new ArrayList<>(send(client, plan.storm()));
		Set<UUID> sent = FeedResult.jobs(answers);
		awaitFinished(sent);
		answers.addAll(send(client, plan.late()));
		List<Answer> clicks = List.of(client.order("A-1001", "12.50"), client.order("A-1001", "12.50"),
				client.order("A-1001", "99.00"));
		List<Step> changes = new ChangesTour(client).run(this::awaitBegun);
		awaitFinished(FeedResult.jobs(clicks));
		awaitFinished(FeedResult.jobs(changes.stream().map(Step::answer).toList()));
		Paid paid = pay(client);
		Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
		List<HandledDeliveries.Handled> handled = this.handled.all()
			.stream()
			.filter((delivery) -> sent.contains(delivery.jobId()))
			.toList();
		return new FeedResult(deliveries.size(), answers, clicks, changes, paid, handled, elapsed);
	}

	private List<Answer> send(ShopClient client, List<Delivery> deliveries)
			throws InterruptedException, ExecutionException {
		List<Future<Answer>> sending = deliveries.stream()
			.map((delivery) -> this.senders.submit(() -> client.deliver(delivery)))
			.toList();
		List<Answer> answers = new ArrayList<>();
		for (Future<Answer> answer : sending) {
			answers.add(answer.get());
		}
		return answers;
	}

	private void awaitFinished(Set<UUID> jobIds) throws InterruptedException {
		for (UUID jobId : jobIds) {
			await(() -> isFinished(jobId));
		}
	}

	private static Paid pay(ShopClient client) throws InterruptedException {
		Set<String> events = new TreeSet<>(List.of(client.pay("A-2001", "12.50")));
		events.add(client.pay("A-2001", "12.50"));
		await(() -> client.effects("A-2001").size() >= SUBSCRIBERS);
		return new Paid(events, client.effects("A-2001"));
	}

	private void awaitBegun(UUID jobId) {
		try {
			await(() -> this.jobs.find(jobId).map((job) -> job.state().isFinished() || job.attempt() > 0).orElse(true));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void await(BooleanSupplier condition) throws InterruptedException {
		while (!condition.getAsBoolean()) {
			TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN.toMillis());
		}
	}

	private boolean isFinished(UUID jobId) {
		return this.jobs.find(jobId).map((job) -> job.state().isFinished()).orElse(true);
	}

	@EventListener(ContextClosedEvent.class)
	void onClosed() {
		this.feeder.shutdownNow();
		this.senders.shutdownNow();
	}

}
