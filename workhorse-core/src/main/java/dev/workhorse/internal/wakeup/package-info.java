/**
 * Hints that a queue has work: within this process and to the other nodes.
 */
@NullMarked
package dev.workhorse.internal.wakeup;

import org.jspecify.annotations.NullMarked;
