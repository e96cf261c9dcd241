package dev.workhorse.internal.json;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;

/**
 * Spelling of JSON strings and pointers, and small pieces of JSON as statements take
 * them.
 */
public final class JsonText {

	private static final HexFormat HEX = HexFormat.of();

	private JsonText() {
	}

	/**
	 * Write a string with the fewest escapes: quote, backslash and control characters.
	 */
	static void quote(String value, StringBuilder to) {
		to.append('"');
		for (int i = 0; i < value.length(); i++) {
			char character = value.charAt(i);
			if (character == '"' || character == '\\') {
				to.append('\\').append(character);
			}
			else if (character < ' ') {
				to.append("\\u").append(HEX.toHexDigits(character));
			}
			else {
				to.append(character);
			}
		}
		to.append('"');
	}

	static String escapePointer(String name) {
		return name.replace("~", "~0").replace("/", "~1");
	}

	/**
	 * An array of texts.
	 * @param values the texts
	 * @return the JSON text
	 */
	public static String array(List<String> values) {
		ArrayNode array = JsonNodeFactory.instance.arrayNode();
		values.forEach(array::add);
		return array.toString();
	}

	/**
	 * An object whose members are JSON texts already.
	 * @param members the members by name
	 * @return the JSON text
	 */
	public static String object(Map<String, String> members) {
		ObjectNode object = JsonNodeFactory.instance.objectNode();
		members.forEach((name, json) -> object.putRawValue(name, new RawValue(json)));
		return object.toString();
	}

}
