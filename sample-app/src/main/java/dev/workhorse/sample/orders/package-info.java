/**
 * Orders: a row and a job in one transaction, and a double click that changes nothing.
 */
@NullMarked
package dev.workhorse.sample.orders;

import org.jspecify.annotations.NullMarked;
