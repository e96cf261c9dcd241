package dev.workhorse.internal.enqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.workhorse.Debounce;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.EnqueueRequest;
import dev.workhorse.Queue;
import dev.workhorse.Throttle;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.DatabaseClock;
import dev.workhorse.testsupport.StatementCounter;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;

class QuickTests {

	@Test
	void runs() {
		try (TestDatabase database = TestDatabase.create("core",
				(dataSource) -> Workhorse.builder(dataSource).build().prepareSchema())) {
			StatementCounter counter = StatementCounter.on(database.dataSource());
			Queue queue = Workhorse.builder(counter.dataSource()).build().queue();
			DatabaseClock clock = DatabaseClock.install(database.dataSource());
			Duration w = Duration.ofSeconds(10);
			System.out
				.println("deb1 " + queue.enqueueWithResult("a", 1, EnqueueOptions.debounce(Debounce.reset("k", w))));
			System.out
				.println("deb2 " + queue.enqueueWithResult("a", 2, EnqueueOptions.debounce(Debounce.reset("k", w))));
			System.out
				.println("idem " + queue.enqueueWithResult("a", 2, EnqueueOptions.debounce(Debounce.preserve("k", w))));
			System.out.println(counter.sql().size() + " statements");
			clock.advance(Duration.ofSeconds(11));
			System.out
				.println("deb3 " + queue.enqueueWithResult("a", 3, EnqueueOptions.debounce(Debounce.reset("k", w))));
			System.out
				.println("thr1 " + queue.enqueueWithResult("a", 3, EnqueueOptions.throttle(Throttle.key("t", w))));
			System.out
				.println("thr2 " + queue.enqueueWithResult("a", 3, EnqueueOptions.throttle(Throttle.key("t", w))));
			System.out
				.println("thr-deb " + queue.enqueueWithResult("a", 3, EnqueueOptions.debounce(Debounce.reset("t", w))));
			clock.advance(Duration.ofSeconds(11));
			System.out
				.println("thr3 " + queue.enqueueWithResult("a", 3, EnqueueOptions.throttle(Throttle.key("t", w))));
			for (int r = 0; r < 3; r++) {
				List<EnqueueRequest> batch = new ArrayList<>();
				for (int i = 0; i < 1000; i++) {
					batch.add(new EnqueueRequest("a", Map.of("i", i),
							(i % 3 == 0) ? EnqueueOptions.idempotencyKey("b" + r / 2 + i).tags("x,y", "z")
									: (i % 3 == 1) ? EnqueueOptions.debounce(Debounce.reset("d" + i / 2, w))
											: EnqueueOptions.defaults()));
				}
				counter.reset();
				long t = System.nanoTime();
				var results = queue.enqueueAll(batch);
				System.out
					.println("batch " + (System.nanoTime() - t) / 1e6 + " ms, " + counter.statements() + " statements "
							+ results.stream()
								.collect(java.util.stream.Collectors.groupingBy((x) -> x.outcome(),
										java.util.stream.Collectors.counting())));
			}
		}
	}

}
