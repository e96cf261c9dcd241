/**
 * SQL statements as resources, and the connection or transaction they run in.
 */
@NullMarked
package dev.workhorse.internal.sql;

import org.jspecify.annotations.NullMarked;
