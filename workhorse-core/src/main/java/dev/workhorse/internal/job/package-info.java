/**
 * The definition of a job: read from what callers pass, checked, and handed to SQL.
 */
@NullMarked
package dev.workhorse.internal.job;

import org.jspecify.annotations.NullMarked;
