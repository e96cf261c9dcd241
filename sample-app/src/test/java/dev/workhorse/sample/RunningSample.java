package dev.workhorse.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.workhorse.testsupport.TestDatabase;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The application, started as its users start it, and asked over HTTP.
 */
public final class RunningSample implements AutoCloseable {

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private static final JsonMapper JSON = JsonMapper.shared();

	private final ConfigurableApplicationContext context;

	private RunningSample(ConfigurableApplicationContext context) {
		this.context = context;
	}

	public static RunningSample start(TestDatabase database, String... properties) {
		String[] args = arguments(database, properties).toArray(String[]::new);
		return new RunningSample(SpringApplication.run(SampleApplication.class, args));
	}

	public static TestDatabase emptyDatabase() {
		return TestDatabase.create("empty", (dataSource) -> {
		});
	}

	static List<String> arguments(TestDatabase database, String... properties) {
		List<String> arguments = new ArrayList<>(List.of("server.port=0", "spring.datasource.url=" + database.jdbcUrl(),
				"spring.datasource.username=" + database.username(),
				"spring.datasource.password=" + database.password()));
		arguments.addAll(List.of(properties));
		return arguments.stream().map((property) -> "--" + property).toList();
	}

	public static Response send(String url, String json, String... headers) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
			.POST(HttpRequest.BodyPublishers.ofString(json))
			.header("Content-Type", "application/json");
		Stream.of(headers)
			.map((header) -> header.split(": ", 2))
			.forEach((header) -> request.header(header[0], header[1]));
		return Response.of(HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString()));
	}

	public Response post(String path, String json, String... headers) throws IOException, InterruptedException {
		return send(url() + path, json, headers);
	}

	public String get(String path) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path)).build();
		return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
	}

	public JsonNode getJson(String path) throws IOException, InterruptedException {
		return JSON.readTree(get(path));
	}

	public long count(String sql, Object... params) {
		return this.context.getBean(JdbcClient.class).sql(sql).params(params).query(Long.class).single();
	}

	private String url() {
		return "http://localhost:" + this.context.getEnvironment().getRequiredProperty("local.server.port");
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * An answer.
	 *
	 * @param status the HTTP status
	 * @param contentType the content type
	 * @param body the body
	 */
	public record Response(int status, String contentType, JsonNode body) {

		static Response of(HttpResponse<String> response) {
			return new Response(response.statusCode(), response.headers().firstValue("Content-Type").orElse(""),
					JSON.readTree(response.body()));
		}

		public String text(String property) {
			return this.body.path(property).asString("");
		}

		public List<String> texts(String property) {
			return this.body.path(property).valueStream().map(JsonNode::stringValue).toList();
		}

	}

}
