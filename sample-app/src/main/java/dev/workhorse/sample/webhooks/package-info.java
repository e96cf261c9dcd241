/**
 * Webhooks: accept a delivery, answer at once, handle it later.
 */
@NullMarked
package dev.workhorse.sample.webhooks;

import org.jspecify.annotations.NullMarked;
