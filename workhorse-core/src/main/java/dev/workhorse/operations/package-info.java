/**
 * Looking at jobs, keys, queues and nodes.
 */
@NullMarked
package dev.workhorse.operations;

import org.jspecify.annotations.NullMarked;
