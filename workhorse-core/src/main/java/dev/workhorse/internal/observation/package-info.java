/**
 * Telling listeners what happened without letting them do harm.
 */
@NullMarked
package dev.workhorse.internal.observation;

import org.jspecify.annotations.NullMarked;
