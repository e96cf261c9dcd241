package dev.workhorse.internal.conductor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.workhorse.internal.key.KeyDigest;

/**
 * The invokes of a batch by key. One stands for all of a key, so that a statement meets
 * each key once.
 */
final class InvokeBatch {

	private final List<Invocation> invocations;

	/** Which group an invoke belongs to. */
	private final int[] groupOf;

	/** The invoke that stands for a group. */
	private final List<Invocation> standing = new ArrayList<>();

	InvokeBatch(List<Invocation> invocations) {
		this.invocations = invocations;
		this.groupOf = new int[invocations.size()];
		Map<KeyDigest, Integer> groups = new LinkedHashMap<>();
		for (int i = 0; i < invocations.size(); i++) {
			Invocation invocation = invocations.get(i);
			InvokeKey key = invocation.key();
			Integer group = (key != null) ? groups.putIfAbsent(key.digest(), this.standing.size()) : null;
			this.groupOf[i] = (group != null) ? group : this.standing.size();
			if (group == null) {
				this.standing.add(invocation);
			}
			else if (key != null && !key.keepsFirst()) {
				this.standing.set(group, invocation.after(this.standing.get(group)));
			}
		}
	}

	/**
	 * The invokes to decide, one for each key.
	 */
	List<Invocation> standing() {
		return this.standing;
	}

	/**
	 * Answer every invoke.
	 * @param decided the decisions for {@link #standing()}
	 * @return the decisions in the order of the batch
	 */
	List<InvokeDecision> expand(List<InvokeDecision> decided) {
		List<InvokeDecision> all = new ArrayList<>(this.invocations.size());
		boolean[] answered = new boolean[decided.size()];
		for (int i = 0; i < this.invocations.size(); i++) {
			int group = this.groupOf[i];
			InvokeDecision decision = decided.get(group);
			InvokeKey key = this.invocations.get(i).key();
			if (answered[group]) {
				decision = (key != null && key.keepsFirst()) ? InvokeDecision.throttled() : decision.later();
			}
			all.add(decision);
			answered[group] = true;
		}
		return all;
	}

}
