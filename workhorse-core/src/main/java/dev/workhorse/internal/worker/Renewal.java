package dev.workhorse.internal.worker;

/**
 * A lease that was renewed, and whether its attempt is to be cancelled.
 *
 * @param cancelled whether somebody asked for it to be cancelled
 * @param interrupt whether the handler's thread is to be interrupted as well
 */
record Renewal(boolean cancelled, boolean interrupt) {

}
