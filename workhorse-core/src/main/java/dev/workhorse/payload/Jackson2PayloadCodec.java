package dev.workhorse.payload;

import java.lang.reflect.Type;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;

/**
 * The default codec, on Jackson 2. Dates are written as ISO-8601 text, unknown properties
 * are ignored when reading, and every Jackson module on the class path is used.
 */
public final class Jackson2PayloadCodec implements PayloadCodec {

	private final ObjectMapper mapper;

	/**
	 * Create a codec with the default settings.
	 */
	public Jackson2PayloadCodec() {
		this(JsonMapper.builder()
			.findAndAddModules()
			.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS, SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
			.disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
			.build());
	}

	/**
	 * Create a codec on an application's own mapper. The mapper is copied, so that
	 * neither side's changes reach the other, and default typing is switched off.
	 * @param mapper the mapper to copy
	 */
	public Jackson2PayloadCodec(ObjectMapper mapper) {
		ObjectMapper copy = mapper.copy();
		copy.deactivateDefaultTyping();
		// a NaN written as the text "NaN" would slip through the check of the payload
		copy.getFactory().disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS.mappedFeature());
		this.mapper = copy;
	}

	@Override
	public String write(@Nullable Object value) {
		try {
			return this.mapper.writeValueAsString(value);
		}
		catch (JsonProcessingException ex) {
			if (value != null && NestedExceptionUtils.getMostSpecificCause(ex) instanceof StreamConstraintsException) {
				throw new PayloadTooDeepException(value.getClass(), ex);
			}
			throw new PayloadException("Cannot write %s as JSON: %s; give it properties that Jackson can write"
				.formatted((value != null) ? value.getClass().getName() : "null", ex.getOriginalMessage()), ex);
		}
	}

	@Override
	public @Nullable Object read(String json, Type type) {
		try {
			return this.mapper.readValue(json, this.mapper.constructType(type));
		}
		catch (JsonProcessingException ex) {
			throw new PayloadException("Cannot read the payload as %s: %s; make the type tolerant of what is stored"
				.formatted(type.getTypeName(), ex.getOriginalMessage()), ex);
		}
	}

}
