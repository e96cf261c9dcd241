/**
 * Hashing of keys, so that the raw key is never stored.
 */
@NullMarked
package dev.workhorse.internal.key;

import org.jspecify.annotations.NullMarked;
