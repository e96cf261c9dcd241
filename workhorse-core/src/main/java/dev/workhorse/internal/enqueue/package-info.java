/**
 * Deciding enqueue requests: hashing, fingerprints, and the statements behind them.
 */
@NullMarked
package dev.workhorse.internal.enqueue;

import org.jspecify.annotations.NullMarked;
