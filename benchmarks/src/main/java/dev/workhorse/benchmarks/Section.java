package dev.workhorse.benchmarks;

import org.jspecify.annotations.Nullable;

/**
 * What a workload has found.
 *
 * @param markdown the text of its block in the report
 * @param chart the chart beside it, {@code null} for none
 */
record Section(String markdown, @Nullable Chart chart) {

}
