/**
 * Claiming, running and settling jobs.
 */
@NullMarked
package dev.workhorse.internal.worker;

import org.jspecify.annotations.NullMarked;
