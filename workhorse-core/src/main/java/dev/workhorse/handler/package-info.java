/**
 * What an application writes to run jobs: handler methods and what they may ask of the
 * engine.
 */
@NullMarked
package dev.workhorse.handler;

import org.jspecify.annotations.NullMarked;
