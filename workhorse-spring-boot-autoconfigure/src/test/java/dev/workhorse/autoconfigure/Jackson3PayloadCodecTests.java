package dev.workhorse.autoconfigure;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.workhorse.payload.Jackson2PayloadCodec;
import dev.workhorse.payload.PayloadCodec;
import dev.workhorse.payload.PayloadException;
import dev.workhorse.payload.PayloadTooDeepException;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class Jackson3PayloadCodecTests {

	private final PayloadCodec codec = new Jackson3PayloadCodec(JsonMapper.builder().build());

	@Test
	void writesTheSameJsonAsJackson2() throws Exception {
		Order order = new Order("A-1", new BigDecimal("12.50"), Instant.parse("2030-01-02T03:04:05.123456Z"),
				Duration.ofMinutes(90), Color.DARK_RED, Optional.of("note"), Optional.empty(), null,
				List.of(new Line(1, 2.5)), Map.of("k", 1L << 60));
		ObjectMapper mapper = new ObjectMapper();
		assertThat(mapper.readTree(this.codec.write(order)))
			.isEqualTo(mapper.readTree(new Jackson2PayloadCodec().write(order)));
	}

	@Test
	void readsWhatItWrites() {
		Order order = new Order("A-1", new BigDecimal("12.50"), Instant.parse("2030-01-02T03:04:05.123456Z"),
				Duration.ofMinutes(90), Color.DARK_RED, Optional.of("note"), Optional.empty(), null,
				List.of(new Line(1, 2.5)), Map.of("k", 1L << 60));
		assertThat(this.codec.read(this.codec.write(order), Order.class)).isEqualTo(order);
	}

	@Test
	void readsGenericTypes() {
		assertThat(this.codec.read("[{\"number\":1,\"price\":2.5}]", new ParameterizedTypeReference<List<Line>>() {
		}.getType())).isEqualTo(List.of(new Line(1, 2.5)));
	}

	@Test
	void writesNumbersThatJsonDoesNotHaveBareSoThatTheyAreRefused() {
		assertThat(this.codec.write(Double.NaN)).isEqualTo("NaN");
		assertThat(this.codec.write(Map.of("a", Float.POSITIVE_INFINITY))).isEqualTo("{\"a\":Infinity}");
	}

	@Test
	void saysThatAPayloadIsTooDeep() {
		List<Object> cycle = new ArrayList<>();
		cycle.add(cycle);
		assertThatExceptionOfType(PayloadTooDeepException.class).isThrownBy(() -> this.codec.write(cycle))
			.withMessageContaining("contains itself");
	}

	@Test
	void instantiatesNoTypeThatThePayloadNames() {
		JsonMapper typed = JsonMapper.builder()
			.activateDefaultTyping(BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build(),
					DefaultTyping.NON_FINAL)
			.build();
		PayloadCodec codec = new Jackson3PayloadCodec(typed);
		assertThat(codec.write(Map.of("a", 1))).isEqualTo("{\"a\":1}");
		assertThat(codec.read("[\"java.util.ArrayList\",[]]", Object.class))
			.isEqualTo(List.of("java.util.ArrayList", List.of()));
	}

	@Test
	void writesAndReadsTreesOfBothJacksons() throws Exception {
		String json = "{\"a\":[1,null]}";
		JsonNode tree = new ObjectMapper().readTree(json);
		assertThat(this.codec.write(tree)).isEqualTo(json);
		assertThat(this.codec.read(json, JsonNode.class)).isEqualTo(tree);
		tools.jackson.databind.JsonNode tree3 = JsonMapper.shared().readTree(json);
		assertThat(this.codec.write(tree3)).isEqualTo(json);
		assertThat(this.codec.read(json, tools.jackson.databind.JsonNode.class)).isEqualTo(tree3);
	}

	@Test
	void saysWhatItCannotReadWithoutTheValue() {
		assertThatExceptionOfType(PayloadException.class)
			.isThrownBy(() -> this.codec.read("{\"number\":{}}", Line.class))
			.withMessageContaining("Cannot read the payload as " + Line.class.getTypeName());
	}

	@Test
	void leavesTheApplicationsMapperAsItIs() {
		JsonMapper mapper = JsonMapper.builder().build();
		new Jackson3PayloadCodec(mapper);
		assertThat(mapper.writeValueAsString(Double.NaN)).isEqualTo("\"NaN\"");
	}

	record Order(String id, BigDecimal price, Instant at, Duration within, Color color, Optional<String> note,
			Optional<String> other, String absent, List<Line> lines, Map<String, Long> sizes) {

	}

	record Line(int number, double price) {

	}

	enum Color {

		DARK_RED

	}

}
