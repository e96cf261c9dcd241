package dev.workhorse.autoconfigure.actuate;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import dev.workhorse.observation.WorkhorseListener;

/**
 * What this node decided and ran since it started, for the endpoint.
 */
final class OutcomeCounts implements WorkhorseListener {

	private final Map<String, Map<String, LongAdder>> decisions = new ConcurrentHashMap<>();

	private final Map<String, Map<String, LongAdder>> invokes = new ConcurrentHashMap<>();

	private final Map<String, LongAdder> events = new ConcurrentHashMap<>();

	private final Map<String, LongAdder> attempts = new ConcurrentHashMap<>();

	@Override
	public void onEnqueue(EnqueueDecided decided) {
		increment(this.decisions.computeIfAbsent(decided.mode(), (mode) -> new ConcurrentHashMap<>()),
				decided.outcome());
	}

	@Override
	public void onInvoke(InvokeDecided decided) {
		increment(this.invokes.computeIfAbsent(decided.mode(), (mode) -> new ConcurrentHashMap<>()), decided.outcome());
	}

	@Override
	public void onEmit(EmitDecided decided) {
		increment(this.events, decided.outcome());
	}

	@Override
	public void onAttemptEnd(AttemptEnded ended) {
		increment(this.attempts, ended.end());
	}

	private static void increment(Map<String, LongAdder> counts, String name) {
		counts.computeIfAbsent(name, (key) -> new LongAdder()).increment();
	}

	Map<String, Map<String, Long>> decisions() {
		return byMode(this.decisions);
	}

	Map<String, Map<String, Long>> invokes() {
		return byMode(this.invokes);
	}

	private static Map<String, Map<String, Long>> byMode(Map<String, Map<String, LongAdder>> counts) {
		Map<String, Map<String, Long>> copy = new TreeMap<>();
		counts.forEach((mode, outcomes) -> copy.put(mode, sums(outcomes)));
		return copy;
	}

	Map<String, Long> events() {
		return sums(this.events);
	}

	Map<String, Long> attempts() {
		return sums(this.attempts);
	}

	private static Map<String, Long> sums(Map<String, LongAdder> counts) {
		Map<String, Long> sums = new TreeMap<>();
		counts.forEach((name, count) -> sums.put(name, count.sum()));
		return sums;
	}

}
