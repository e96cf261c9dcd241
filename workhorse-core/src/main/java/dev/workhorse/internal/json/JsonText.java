package dev.workhorse.internal.json;

import java.util.HexFormat;

/**
 * Spelling of JSON strings and pointers.
 */
final class JsonText {

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

}
