/**
 * How payloads and results become JSON and objects again.
 */
@NullMarked
package dev.workhorse.payload;

import org.jspecify.annotations.NullMarked;
