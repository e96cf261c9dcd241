/**
 * Workhorse beside its peers and beside the least that the same database could do.
 */
@NullMarked
package dev.workhorse.benchmarks;

import org.jspecify.annotations.NullMarked;
