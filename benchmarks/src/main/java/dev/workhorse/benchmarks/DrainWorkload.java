package dev.workhorse.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * How fast waiting jobs are worked off.
 */
final class DrainWorkload implements Workload {

	private static final Duration PATIENCE = Duration.ofMinutes(10);

	/** What is slow is given a part of the jobs. */
	private static final int SLOW_SHARE = 10;

	private final String name;

	private final int jobs;

	private final boolean large;

	private final Duration work;

	private DrainWorkload(String name, int jobs, boolean large, Duration work) {
		this.name = name;
		this.jobs = jobs;
		this.large = large;
		this.work = work;
	}

	static Workload noOp() {
		return new DrainWorkload("drain", 100_000, false, Duration.ZERO);
	}

	static Workload payloads() {
		return new DrainWorkload("drain-payloads", 20_000, true, Duration.ofMillis(2));
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public Section run(BenchmarkDatabase database, Arguments arguments) throws Exception {
		Map<Contender, Figures> rates = new LinkedHashMap<>();
		Map<Contender, String> usages = new LinkedHashMap<>();
		try (Contender workhorse = new WorkhorseContender(database);
				Contender dbScheduler = new DbSchedulerContender(database);
				Contender jobRunr = new JobRunrContender(database)) {
			List<Contender> contenders = List.of(dbScheduler, jobRunr, workhorse);
			for (int round = 0; round <= arguments.rounds(); round++) {
				for (Contender contender : contenders) {
					int number = arguments.jobs((contender == jobRunr) ? this.jobs / SLOW_SHARE : this.jobs);
					String used = drain(database, contender, number,
							rates.computeIfAbsent(contender, (key) -> new Figures()));
					usages.put(contender, used);
				}
				if (round == 0) {
					rates.clear();
				}
			}
			return section(contenders, workhorse, rates, usages);
		}
	}

	private String drain(BenchmarkDatabase database, Contender contender, int number, Figures rates)
			throws InterruptedException {
		contender.truncate();
		contender.enqueueAll((this.large) ? Payload.webhooks(number)
				: LongStream.range(0, number).mapToObj(Payload::small).toList());
		database.settle();
		CountDownLatch done = new CountDownLatch(number);
		Usage before = Usage.read(database.jdbc());
		long start = System.nanoTime();
		contender.start((job) -> work(), (ended) -> done.countDown());
		boolean complete = done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		double seconds = (System.nanoTime() - start) / 1e9;
		Usage used = Usage.read(database.jdbc()).since(before);
		contender.stop();
		if (!complete) {
			throw new IllegalStateException(contender.name() + " has not ended " + done.getCount() + " jobs");
		}
		rates.add(number / seconds);
		return used.perEach(number);
	}

	private void work() {
		if (!this.work.isZero()) {
			LockSupport.parkNanos(this.work.toNanos());
		}
	}

	private static Section section(List<Contender> contenders, Contender workhorse, Map<Contender, Figures> rates,
			Map<Contender, String> usages) {
		StringBuilder table = new StringBuilder(
				"| who | jobs a second | Workhorse against it | WAL bytes a job | statements a job |"
						+ " round trips a job |\n|---|---|---|---|---|---|\n");
		List<Chart.Bar> bars = new ArrayList<>();
		StringBuilder settings = new StringBuilder("\n");
		for (Contender contender : contenders) {
			Figures own = rates.getOrDefault(contender, new Figures());
			String ratio = (contender == workhorse) ? ""
					: rates.getOrDefault(workhorse, new Figures()).against(own).ratio();
			table.append(
					"| %s | %s | %s | %s |%n".formatted(contender.name(), own.spread(), ratio, usages.get(contender)));
			bars.add(new Chart.Bar(contender.name(), own.median(), contender == workhorse));
			settings.append("\n%s: %s.".formatted(contender.name(), contender.settings()));
		}
		return new Section(table.toString() + settings, Chart.bars("Jobs worked off in a second", bars));
	}

}
