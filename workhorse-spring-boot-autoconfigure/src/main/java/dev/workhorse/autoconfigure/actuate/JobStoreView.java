package dev.workhorse.autoconfigure.actuate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

import dev.workhorse.operations.DeadLetterFilter;
import dev.workhorse.operations.JobFilter;
import dev.workhorse.operations.JobState;
import dev.workhorse.operations.Jobs;
import dev.workhorse.operations.LiveKey;
import dev.workhorse.operations.PausedQueue;
import dev.workhorse.operations.QueueCount;
import dev.workhorse.operations.UnhandledType;
import dev.workhorse.operations.WorkerNode;
import org.jspecify.annotations.Nullable;

/**
 * What can be seen through the endpoint.
 */
final class JobStoreView {

	private final Jobs jobs;

	JobStoreView(Jobs jobs) {
		this.jobs = jobs;
	}

	PageDescriptor<JobSummaryDescriptor> jobs(JobFilter filter, @Nullable String after, int size) {
		return PageDescriptor.of(this.jobs.list(filter, after, size), JobSummaryDescriptor::of);
	}

	PageDescriptor<DeadLetterDescriptor> deadLetters(DeadLetterFilter filter, @Nullable String after, int size,
			Values values) {
		return PageDescriptor.of(this.jobs.deadLetters(filter, after, size),
				(letter) -> DeadLetterDescriptor.of(letter, values));
	}

	PageDescriptor<LiveKey> keys(@Nullable String scope, @Nullable String after, int size) {
		return PageDescriptor.of(this.jobs.liveKeys(scope, after, size), (key) -> key);
	}

	@Nullable JobDescriptor job(UUID id, Values values) {
		return this.jobs.find(id).map((job) -> JobDescriptor.of(job, this.jobs.timeline(id), values)).orElse(null);
	}

	Map<String, Map<String, CountDescriptor>> counts() {
		Map<String, Map<String, CountDescriptor>> queues = new TreeMap<>();
		for (QueueCount count : this.jobs.countLive()) {
			queues.computeIfAbsent(count.queue(), (queue) -> new TreeMap<>())
				.put(count.state().label(), CountDescriptor.of(count.jobs()));
		}
		return queues;
	}

	Map<String, CountDescriptor> finished() {
		Map<String, CountDescriptor> finished = new TreeMap<>();
		Map<JobState, Long> counted = this.jobs.countFinished();
		counted.forEach((state, count) -> finished.put(state.label(), CountDescriptor.of(count)));
		return finished;
	}

	/**
	 * All queues that have jobs, are paused or have a node that works on them.
	 */
	List<QueueDescriptor> queues() {
		Map<String, Map<String, CountDescriptor>> counts = counts();
		List<PausedQueue> paused = this.jobs.pausedQueues();
		List<UnhandledType> unhandled = this.jobs.unhandledTypes();
		List<WorkerNode> nodes = this.jobs.workers().stream().filter(WorkerNode::alive).toList();
		TreeSet<String> names = new TreeSet<>(counts.keySet());
		paused.forEach((queue) -> names.add(queue.queue()));
		nodes.forEach((node) -> names.addAll(node.queues()));
		List<QueueDescriptor> queues = new ArrayList<>();
		for (String name : names) {
			queues.add(new QueueDescriptor(name, counts.getOrDefault(name, Map.of()),
					paused.stream().filter((queue) -> queue.queue().equals(name)).findFirst().orElse(null),
					unhandled.stream().filter((type) -> type.queue().equals(name)).toList(),
					nodes.stream().filter((node) -> node.queues().contains(name)).map(WorkerNode::name).toList()));
		}
		return queues;
	}

}
