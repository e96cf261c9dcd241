/**
 * State that moves on: the last request for an order wins, a customer is synchronised
 * once in a while, and products are indexed in bursts.
 */
@NullMarked
package dev.workhorse.sample.updates;

import org.jspecify.annotations.NullMarked;
