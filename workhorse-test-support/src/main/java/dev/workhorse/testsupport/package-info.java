/**
 * What Workhorse's own tests share: a PostgreSQL server, isolated databases, a clock that
 * moves, races, and meters for what the database was asked to do.
 */
@NullMarked
package dev.workhorse.testsupport;

import org.jspecify.annotations.NullMarked;
