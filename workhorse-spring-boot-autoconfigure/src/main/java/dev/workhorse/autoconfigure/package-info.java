/**
 * Auto-configuration: adding the starter and a {@code DataSource} is enough.
 */
@NullMarked
package dev.workhorse.autoconfigure;

import org.jspecify.annotations.NullMarked;
