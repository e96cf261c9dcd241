package dev.workhorse.operations;

/**
 * How many live jobs of a queue are in a state.
 *
 * @param queue the queue
 * @param state the state
 * @param jobs the number of jobs, counted up to {@link Jobs#COUNT_LIMIT} in all
 */
public record QueueCount(String queue, JobState state, long jobs) {

}
