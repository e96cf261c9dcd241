/**
 * Reading the store for people: jobs, keys and counts.
 */
@NullMarked
package dev.workhorse.internal.operations;

import org.jspecify.annotations.NullMarked;
