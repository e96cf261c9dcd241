/**
 * What single steps on the way of a request cost, without a database.
 */
@NullMarked
package dev.workhorse.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
