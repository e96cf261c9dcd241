package dev.workhorse.sample.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Sends changes, of which the last one is to win.
 */
final class ChangesTour {

	private final ShopClient client;

	private final List<Step> steps = new ArrayList<>();

	ChangesTour(ShopClient client) {
		this.client = client;
	}

	/**
	 * Send them.
	 * @param running waits until a job runs
	 * @return what was sent, and the answers
	 */
	List<Step> run(Consumer<UUID> running) {
		step("A-2001 pending", this.client.status("A-2001", "pending", "1s"));
		step("A-2001 paid", this.client.status("A-2001", "paid", "0s"));
		Answer packing = this.client.status("A-2002", "packing", "0s");
		step("A-2002 packing", packing);
		if (packing.is("created")) {
			running.accept(Objects.requireNonNull(packing.jobId()));
		}
		step("A-2002 shipped", this.client.status("A-2002", "shipped", "0s"));
		for (int i = 0; i < 2; i++) {
			step("sync Ada", this.client.sync("Ada"));
		}
		step("index Tea", this.client.product("P-1", "Tea"));
		step("index Green tea", this.client.product("P-1", "Green tea"));
		return this.steps;
	}

	private void step(String name, Answer answer) {
		this.steps.add(new Step(name, answer));
	}

	/**
	 * A change and what was answered.
	 *
	 * @param name what was sent
	 * @param answer the answer
	 */
	record Step(String name, Answer answer) {

	}

}
