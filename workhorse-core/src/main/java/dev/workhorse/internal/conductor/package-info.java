/**
 * Decides invokes: what becomes of the execution that a dedupe key or a slot holds.
 */
@NullMarked
package dev.workhorse.internal.conductor;

import org.jspecify.annotations.NullMarked;
