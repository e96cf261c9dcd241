package dev.workhorse.internal.operations;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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
		return new MapSqlParameterSource("details",
				JsonNodeFactory.instance.objectNode().put("by", this.by).put("reason", this.reason).toString());
	}

}
