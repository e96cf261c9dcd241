/**
 * Emitting events and declaring who subscribes to them.
 */
@NullMarked
package dev.workhorse.internal.event;

import org.jspecify.annotations.NullMarked;
