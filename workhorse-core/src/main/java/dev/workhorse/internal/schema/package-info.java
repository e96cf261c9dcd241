/**
 * Creating, migrating and checking the database schema.
 */
@NullMarked
package dev.workhorse.internal.schema;

import org.jspecify.annotations.NullMarked;
