/**
 * The steps of handlers: what they have done and wait for, and their children.
 */
@NullMarked
package dev.workhorse.internal.durable;

import org.jspecify.annotations.NullMarked;
