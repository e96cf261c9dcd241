package dev.workhorse.runtime;

/**
 * What is done about the database schema at start.
 */
public enum SchemaMode {

	/** Create it, or bring it up to date. */
	MIGRATE,

	/** Check that it is up to date, and fail otherwise. */
	VALIDATE,

	/** Nothing. */
	NONE

}
