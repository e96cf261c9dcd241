/**
 * The outside world: sends the application real webhooks over HTTP as a provider does,
 * redeliveries included, and reports what became of them.
 */
@NullMarked
package dev.workhorse.sample.feed;

import org.jspecify.annotations.NullMarked;
