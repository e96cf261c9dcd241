package dev.workhorse.internal.json;

/**
 * A JSON number by its value: its digits without leading and trailing zeros, and an
 * exponent. Linear in the length of the text, whatever the exponent says.
 *
 * @param text the canonical spelling, for example {@code 15e-1}; {@code 0} for any zero
 * @param plainDigits how many digits the number has in plain notation, as {@code jsonb}
 * gives it back
 */
record CanonicalNumber(String text, long plainDigits) {

	/** Most digits in plain notation; JSON readers refuse more by default. */
	static final int MAX_DIGITS = 1_000;

	private static final int LONGEST_EXPONENT = 9;

	static CanonicalNumber parse(String text) {
		int start = (text.charAt(0) == '-' || text.charAt(0) == '+') ? 1 : 0;
		int exponentAt = indexOfExponent(text);
		String mantissa = text.substring(start, exponentAt);
		int point = mantissa.indexOf('.');
		int fraction = (point >= 0) ? mantissa.length() - point - 1 : 0;
		String digits = (point >= 0) ? mantissa.substring(0, point) + mantissa.substring(point + 1) : mantissa;
		long exponent = exponent(text, exponentAt) - fraction;
		long plain = (exponent >= 0) ? digits.length() + exponent : Math.max(digits.length(), 1 - exponent);
		int first = 0;
		while (first < digits.length() && digits.charAt(first) == '0') {
			first++;
		}
		if (first == digits.length()) {
			return new CanonicalNumber("0", plain);
		}
		int last = digits.length();
		while (digits.charAt(last - 1) == '0') {
			last--;
		}
		exponent += digits.length() - last;
		String sign = (text.charAt(0) == '-') ? "-" : "";
		return new CanonicalNumber(sign + digits.substring(first, last) + ((exponent != 0) ? "e" + exponent : ""),
				plain);
	}

	private static int indexOfExponent(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) == 'e' || text.charAt(i) == 'E') {
				return i;
			}
		}
		return text.length();
	}

	private static long exponent(String text, int exponentAt) {
		if (exponentAt == text.length()) {
			return 0;
		}
		String exponent = text.substring(exponentAt + 1).replaceFirst("^([+-]?)0+(?=\\d)", "$1");
		if (exponent.length() > LONGEST_EXPONENT) {
			// far beyond any bound, and the sign no longer matters
			return Integer.MAX_VALUE;
		}
		return Long.parseLong(exponent);
	}

}
