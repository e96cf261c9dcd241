package dev.workhorse.internal.enqueue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.workhorse.EnqueueIdempotencyConflictException.Conflict;
import dev.workhorse.EnqueueOutcome;
import dev.workhorse.InvalidRequestException;
import dev.workhorse.internal.key.KeyDigest;

/**
 * The requests of a batch by key. One request stands for all of a key; the others are
 * answered from its decision.
 */
final class EnqueueBatch {

	private final List<JobRequest> requests;

	/** Which group a request belongs to. */
	private final int[] groupOf;

	/** The request that stands for a group. */
	private final List<JobRequest> standing = new ArrayList<>();

	EnqueueBatch(List<JobRequest> requests) {
		this.requests = requests;
		this.groupOf = new int[requests.size()];
		Map<KeyDigest, Integer> groups = new LinkedHashMap<>();
		for (int i = 0; i < requests.size(); i++) {
			JobRequest request = requests.get(i);
			KeyBinding key = request.key();
			Integer group = (key != null) ? groups.putIfAbsent(key.digest(), this.standing.size()) : null;
			this.groupOf[i] = (group != null) ? group : this.standing.size();
			if (group == null) {
				this.standing.add(request);
			}
			else {
				join(i, request, group);
			}
		}
	}

	private void join(int index, JobRequest request, int group) {
		JobRequest earlier = this.standing.get(group);
		if (!request.modeLabel().equals(earlier.modeLabel())) {
			throw new InvalidRequestException("requests[%d].options".formatted(index),
					"in the mode its key has earlier in the batch (%s)".formatted(earlier.modeLabel()),
					request.modeLabel());
		}
		if (request.isDebounced()) {
			this.standing.set(group, request.after(earlier));
		}
	}

	/**
	 * The requests to decide, one for each key, without repeats.
	 */
	List<JobRequest> standing() {
		return this.standing;
	}

	/**
	 * Answer every request.
	 * @param decided the decisions for {@link #standing()}
	 * @return the decisions in the order of the batch
	 */
	List<Decision> expand(List<Decision> decided, ConflictCheck conflictCheck) {
		List<Decision> all = new ArrayList<>(this.requests.size());
		boolean[] answered = new boolean[decided.size()];
		for (int i = 0; i < this.requests.size(); i++) {
			int group = this.groupOf[i];
			Decision decision = decided.get(group);
			all.add((answered[group]) ? later(this.requests.get(i), group, decision, conflictCheck) : decision);
			answered[group] = true;
		}
		return all;
	}

	private Decision later(JobRequest request, int group, Decision first, ConflictCheck conflictCheck) {
		if (request.isDebounced()) {
			return (first.result().outcome() != EnqueueOutcome.NON_REPLACEABLE)
					? new Decision(Decision.replaced(first.result().jobId(), 0).result(), null, null) : first;
		}
		JobRequest earlier = this.standing.get(group);
		Conflict conflict = null;
		if (!sameContent(request, earlier)) {
			conflict = conflictCheck.withEarlier(request, earlier, first.result().jobId());
		}
		return Decision.repeated(first.result().jobId(), request.key(), conflict);
	}

	private static boolean sameContent(JobRequest request, JobRequest earlier) {
		return Arrays.equals(Objects.requireNonNull(request.content()).fingerprint(),
				Objects.requireNonNull(earlier.content()).fingerprint());
	}

}
