package dev.workhorse.autoconfigure;

import java.lang.reflect.Type;

import com.fasterxml.jackson.databind.JsonNode;
import dev.workhorse.payload.Jackson2PayloadCodec;
import dev.workhorse.payload.PayloadCodec;
import dev.workhorse.payload.PayloadException;
import dev.workhorse.payload.PayloadTooDeepException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.NestedExceptionUtils;

/**
 * The codec on the application's own Jackson 3 mapper. A payload that is a tree of
 * Jackson 2 is left to Jackson 2, since Jackson 3 would write it as an object with the
 * tree's getters.
 */
final class Jackson3PayloadCodec implements PayloadCodec {

	private final JsonMapper mapper;

	private final PayloadCodec jackson2 = new Jackson2PayloadCodec();

	/**
	 * Create a codec on a copy of a mapper.
	 * @param mapper the mapper to copy
	 */
	Jackson3PayloadCodec(JsonMapper mapper) {
		// a NaN written as the text "NaN" would slip through the check of the payload
		this.mapper = mapper.rebuild().deactivateDefaultTyping().disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS).build();
	}

	@Override
	public String write(@Nullable Object value) {
		if (value instanceof JsonNode) {
			return this.jackson2.write(value);
		}
		try {
			return this.mapper.writeValueAsString(value);
		}
		catch (JacksonException ex) {
			if (value != null && NestedExceptionUtils.getMostSpecificCause(ex) instanceof StreamConstraintsException) {
				throw new PayloadTooDeepException(value.getClass(), ex);
			}
			throw new PayloadException("Cannot write %s as JSON; give it properties that Jackson can write"
				.formatted((value != null) ? value.getClass().getName() : "null"), ex);
		}
	}

	@Override
	public @Nullable Object read(String json, Type type) {
		if (type instanceof Class<?> declared && JsonNode.class.isAssignableFrom(declared)) {
			return this.jackson2.read(json, type);
		}
		try {
			return this.mapper.readValue(json, this.mapper.constructType(type));
		}
		catch (JacksonException ex) {
			throw new PayloadException("Cannot read the payload as %s: %s; make the type tolerant of what is stored"
				.formatted(type.getTypeName(), ex.getOriginalMessage()), ex);
		}
	}

}
