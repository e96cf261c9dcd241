package dev.workhorse.internal.enqueue;

import dev.workhorse.EnqueueKey;
import dev.workhorse.KeyMode;
import dev.workhorse.internal.key.KeyDigest;

/**
 * A key as a request wants to hold it.
 *
 * @param key the key with its scope; the raw key stays in memory
 * @param digest the hash that is stored
 * @param mode how the key is bound
 * @param windowMillis the ttl in milliseconds
 */
record KeyBinding(EnqueueKey key, KeyDigest digest, KeyMode mode, long windowMillis) {

}
