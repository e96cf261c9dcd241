package dev.workhorse.operations;

/**
 * Due jobs that no living node would take: none has a handler for their type and works on
 * their queue. They wait until one does.
 *
 * @param queue the queue
 * @param type the job type
 * @param jobs the number of jobs, of {@link Jobs#COUNT_LIMIT} due jobs looked at
 */
public record UnhandledType(String queue, String type, long jobs) {

}
