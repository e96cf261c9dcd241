package dev.workhorse.chaos;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

import com.zaxxer.hikari.HikariDataSource;
import dev.workhorse.handler.HandlerDefinition;
import dev.workhorse.observation.WorkhorseListener;
import dev.workhorse.runtime.Workhorse;
import dev.workhorse.testsupport.Await;
import dev.workhorse.testsupport.ChildJvm;

/**
 * A node in a JVM of its own, with two pools as an application has them. It stops in good
 * order when it is asked to end.
 */
public final class ChaosWorker {

	static final String TYPE = "chaos";

	static final Duration LEASE = Duration.ofSeconds(2);

	private static final Duration GRACE = Duration.ofSeconds(10);

	private ChaosWorker() {
	}

	static ChildJvm start(String jdbcUrl, String name, Nature nature) {
		return ChildJvm.of(ChaosWorker.class)
			.jvmArgs("-Xmx96m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
			.args(jdbcUrl, name, nature.name())
			.start();
	}

	/**
	 * Takes a JDBC URL, the name of the node, and the {@link Nature} of its handler.
	 */
	@SuppressWarnings("resource") // closed by the shutdown hook
	public static void main(String[] args) {
		HikariDataSource pool = pool(args[0], 6);
		HikariDataSource workerPool = pool(args[0], 5);
		Effects effects = new Effects(pool);
		Nature nature = Nature.valueOf(args[2]);
		Workhorse node = Workhorse.builder(pool)
			.workerDataSource(workerPool)
			.name(args[1])
			.lease(LEASE)
			.pollInterval(Duration.ofMillis(100))
			.workOn("default", 8)
			.listener(listener())
			.handler(HandlerDefinition.of(TYPE, String.class, (payload, context) -> {
				Object run = effects.record(context, args[1]);
				nature.work();
				return run;
			}))
			.build();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			node.stop(GRACE);
			workerPool.close();
			pool.close();
			System.out.println("stopped");
		}));
		node.start();
		Await.until("working", Duration.ofMinutes(1), () -> node.workerStatus().working());
		System.out.println("working");
	}

	private static HikariDataSource pool(String jdbcUrl, int size) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(jdbcUrl);
		pool.setMaximumPoolSize(size);
		pool.setMinimumIdle(1);
		pool.setConnectionTimeout(2_000);
		// the database may be away while it starts
		pool.setInitializationFailTimeout(-1);
		return pool;
	}

	private static WorkhorseListener listener() {
		return new WorkhorseListener() {

			@Override
			public void onLeaseLost(UUID jobId, String queue, String type) {
				System.out.println("lost " + jobId);
			}

		};
	}

	/**
	 * How a handler behaves.
	 */
	enum Nature {

		/** Takes up to 20 ms. */
		CALM {

			@Override
			void work() {
				pass(ThreadLocalRandom.current().nextInt(20));
			}

		},

		/** Fails now and then, and rarely takes longer than a lease. */
		WILD {

			@Override
			void work() {
				int dice = ThreadLocalRandom.current().nextInt(100);
				pass((dice == 0) ? LEASE.toMillis() * 3 / 2 : dice);
				if (dice > 94) {
					throw new IllegalStateException("bad luck");
				}
			}

		};

		abstract void work();

		private static void pass(long millis) {
			long end = System.nanoTime() + millis * 1_000_000;
			while (System.nanoTime() - end < 0) {
				LockSupport.parkNanos(end - System.nanoTime());
			}
		}

	}

}
