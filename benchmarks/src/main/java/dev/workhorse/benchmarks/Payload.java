package dev.workhorse.benchmarks;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What every job of every contender carries.
 *
 * @param number the number of the job
 * @param text the rest of its bytes
 */
public record Payload(long number, String text) {

	/** Makes about 200 bytes of JSON. */
	private static final String SMALL = "x".repeat(170);

	private static final int LARGEST = 30_000;

	private static final int SMALLEST = 1_000;

	static Payload small(long number) {
		return new Payload(number, SMALL);
	}

	/**
	 * Payloads as webhooks have them: many of some kilobytes, few of thirty. The same in
	 * every run.
	 */
	static List<Payload> webhooks(int count) {
		Random random = new Random(4711);
		return IntStream.range(0, count).mapToObj((number) -> {
			double share = random.nextDouble();
			int length = (int) (SMALLEST + (LARGEST - SMALLEST) * share * share);
			return new Payload(number, words(random, length));
		}).toList();
	}

	private static String words(Random random, int length) {
		StringBuilder text = new StringBuilder(length + 16);
		while (text.length() < length) {
			text.append(Integer.toString(random.nextInt(1_000_000), 36)).append(' ');
		}
		return text.toString();
	}

	String json() {
		return "{\"number\":" + this.number + ",\"text\":\"" + this.text + "\"}";
	}

}
