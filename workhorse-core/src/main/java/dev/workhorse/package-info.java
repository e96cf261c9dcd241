/**
 * The entry points an application calls to have jobs accepted, and their options.
 */
@NullMarked
package dev.workhorse;

import org.jspecify.annotations.NullMarked;
