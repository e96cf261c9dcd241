package dev.workhorse.internal.operations;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.workhorse.Bounds;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Who does something, and why.
 *
 * @param by who
 * @param reason why
 */
record Audit(String by, String reason) {

	static Audit of(String by, String reason) {
		return new Audit(Bounds.name("by", by), Bounds.name("reason", reason));
	}

	/**
	 * The parameter {@code details} that keeps it.
	 */
	MapSqlParameterSource details() {
		return new MapSqlParameterSource("details", json().toString());
	}

	/**
	 * The same for a cancellation.
	 */
	MapSqlParameterSource details(boolean interrupt) {
		return new MapSqlParameterSource("details", json().put("interrupt", interrupt).toString());
	}

	private ObjectNode json() {
		return JsonNodeFactory.instance.objectNode().put("by", this.by).put("reason", this.reason);
	}

}
