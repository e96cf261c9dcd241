package dev.workhorse.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the number of jobs that wait does to the speed at which they are worked off.
 */
final class BacklogWorkload implements Workload {

	private static final int DRAINED = 10_000;

	@Override
	public String name() {
		return "backlog";
	}

	@Override
	public Section run(BenchmarkDatabase database, Arguments arguments) throws Exception {
		List<Backlog> backlogs = List.of(new Backlog(arguments.jobs(DRAINED), 0),
				new Backlog(arguments.jobs(100_000), 0), new Backlog(arguments.jobs(1_000_000), 0),
				new Backlog(arguments.jobs(DRAINED), arguments.jobs(1_000_000)));
		List<Figures> rates = new ArrayList<>();
		backlogs.forEach((backlog) -> rates.add(new Figures()));
		int rounds = Math.min(3, arguments.rounds());
		for (int round = 0; round <= rounds; round++) {
			for (int i = 0; i < backlogs.size(); i++) {
				double rate = rate(database, backlogs.get(i), arguments.jobs(DRAINED));
				if (round > 0) {
					rates.get(i).add(rate);
				}
			}
		}
		StringBuilder table = new StringBuilder(
				"| ready | delayed by a day | jobs a second | ratio |\n|---|---|---|---|\n");
		for (int i = 0; i < backlogs.size(); i++) {
			table.append(String.format(Locale.ROOT, "| %,d | %,d | %s | %s |%n", backlogs.get(i).ready(),
					backlogs.get(i).delayed(), rates.get(i).spread(), rates.get(i).against(rates.get(0)).ratio()));
		}
		database.truncate();
		return new Section(table + "\nThe first %,d jobs of each backlog.".formatted(arguments.jobs(DRAINED)), null);
	}

	private static double rate(BenchmarkDatabase database, Backlog backlog, int jobs) throws InterruptedException {
		database.truncate();
		database.fill(backlog.ready(), "ready");
		database.fill(backlog.delayed(), "scheduled");
		database.settle();
		return WorkhorseContender.rate(database, jobs);
	}

	/**
	 * What waits.
	 *
	 * @param ready how many jobs are due
	 * @param delayed how many are not
	 */
	private record Backlog(int ready, int delayed) {

	}

}
