package dev.workhorse.testsupport;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Where a server is and who logs in: yields the JDBC URL of any database on it.
 *
 * @param prefix everything up to and including the slash before the database name
 * @param adminDatabase the database to connect to for creating and dropping others
 * @param parameters the URL parameters, {@code user} and {@code password} among them
 */
record JdbcAddress(String prefix, String adminDatabase, Map<String, String> parameters) {

	static JdbcAddress parse(String jdbcUrl, Map<String, String> defaults) {
		if (!jdbcUrl.startsWith("jdbc:postgresql://")) {
			throw new IllegalArgumentException("Not of the form jdbc:postgresql://host:port/database: " + jdbcUrl);
		}
		int query = jdbcUrl.indexOf('?');
		String location = (query < 0) ? jdbcUrl : jdbcUrl.substring(0, query);
		int slash = location.lastIndexOf('/');
		Map<String, String> parameters = new LinkedHashMap<>(defaults);
		if (query >= 0) {
			for (String parameter : jdbcUrl.substring(query + 1).split("&", -1)) {
				int equals = parameter.indexOf('=');
				if (equals > 0) {
					parameters.put(parameter.substring(0, equals),
							URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8));
				}
			}
		}
		return new JdbcAddress(location.substring(0, slash + 1), location.substring(slash + 1), parameters);
	}

	String username() {
		return this.parameters.getOrDefault("user", "postgres");
	}

	String password() {
		return this.parameters.getOrDefault("password", "");
	}

	String jdbcUrl(String database) {
		return this.prefix + database
				+ this.parameters.entrySet()
					.stream()
					.map((entry) -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
					.collect(Collectors.joining("&", "?", ""));
	}

}
