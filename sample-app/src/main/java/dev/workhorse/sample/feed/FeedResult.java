package dev.workhorse.sample.feed;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.workhorse.sample.feed.ChangesTour.Step;
import dev.workhorse.sample.webhooks.HandledDeliveries.Handled;

/**
 * What became of the feed.
 *
 * @param deliveries the number of different deliveries
 * @param answers the answer to each sending
 * @param clicks the answers to a double-clicked order, and to one with another amount
 * @param changes what was sent about things that change, and the answers
 * @param paid a payment that was reported twice
 * @param handled the runs of the jobs behind the deliveries, read from the database
 * @param elapsed how long it took until everything had run
 */
record FeedResult(int deliveries, List<Answer> answers, List<Answer> clicks, List<Step> changes, Paid paid,
		List<Handled> handled, Duration elapsed) {

	long count(String outcome) {
		return this.answers.stream().filter((answer) -> answer.is(outcome)).count();
	}

	static Set<UUID> jobs(List<Answer> answers) {
		return answers.stream().map(Answer::jobId).filter(Objects::nonNull).collect(Collectors.toSet());
	}

	/**
	 * A payment that was reported twice.
	 *
	 * @param events the different events that tell of it
	 * @param effects what the subscribers of the event did
	 */
	record Paid(Set<String> events, List<String> effects) {

	}

}
