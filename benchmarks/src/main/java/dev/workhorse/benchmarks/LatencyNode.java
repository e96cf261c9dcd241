package dev.workhorse.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.EnqueueOptions;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;

/**
 * A worker in a JVM of its own that prints how old jobs are when their handlers begin.
 */
public final class LatencyNode {

	static final long LAST = -1;

	private LatencyNode() {
	}

	static long micros() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
	}

	/**
	 * Work on the database of the given URL.
	 */
	public static void main(String[] args) {
		HikariDataSource pool = new HikariDataSource(DrainNode.pool(args[0]));
		List<Long> ages = Collections.synchronizedList(new ArrayList<>());
		Workhorse node = Workhorse.builder(pool)
			.workOn(EnqueueOptions.DEFAULT_QUEUE, Contender.WORKERS)
			.handler(HandlerDefinition.of(WorkhorseContender.TYPE, Payload.class, (payload, context) -> {
				long now = micros();
				long number = ((Payload) Objects.requireNonNull(payload)).number();
				if (number == LAST) {
					System.out.println(
							"micros " + ages.stream().map((age) -> age.toString()).collect(Collectors.joining(",")));
				}
				else {
					ages.add(now - number);
				}
				return null;
			}))
			.build();
		node.start();
		Await.until("listening", Duration.ofSeconds(30), () -> node.workerStatus().listening());
		System.out.println("working");
	}

}
