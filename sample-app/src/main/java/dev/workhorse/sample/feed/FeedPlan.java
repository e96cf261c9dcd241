package dev.workhorse.sample.feed;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What is sent and when. The same deliveries make the same plan.
 *
 * @param storm the first deliveries, and redeliveries that overtake or follow closely
 * @param late redeliveries after everything was handled, some of them tampered with
 */
record FeedPlan(List<Delivery> storm, List<Delivery> late) {

	private static final long SEED = 42;

	private static final int MOST_REDELIVERIES = 4;

	private static final int TAMPERED = 5;

	static FeedPlan of(List<Delivery> deliveries) {
		Random random = new Random(SEED);
		List<Delivery> storm = new ArrayList<>(deliveries);
		List<Delivery> late = new ArrayList<>();
		for (Delivery delivery : deliveries) {
			int redeliveries = 1 + random.nextInt(MOST_REDELIVERIES);
			for (int i = 0; i < redeliveries; i++) {
				(random.nextBoolean() ? storm : late).add(delivery);
			}
		}
		deliveries.stream().limit(TAMPERED).map(Delivery::tampered).forEach(late::add);
		Collections.shuffle(storm, random);
		Collections.shuffle(late, random);
		return new FeedPlan(List.copyOf(storm), List.copyOf(late));
	}

	int size() {
		return this.storm.size() + this.late.size();
	}

}
