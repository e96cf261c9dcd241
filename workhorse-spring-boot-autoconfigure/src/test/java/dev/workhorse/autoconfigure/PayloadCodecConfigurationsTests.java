package dev.workhorse.autoconfigure;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.workhorse.payload.Jackson2PayloadCodec;
import dev.workhorse.payload.PayloadCodec;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class PayloadCodecConfigurationsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(PayloadCodecConfigurations.Jackson3.class, PayloadCodecConfigurations.Jackson2.class);

	@Test
	void jackson3OfTheApplicationIsPreferred() {
		this.runner.withBean(JsonMapper.class, JsonMapper::new)
			.withBean(ObjectMapper.class, ObjectMapper::new)
			.run((context) -> assertThat(context.getBean(PayloadCodec.class)).isInstanceOf(Jackson3PayloadCodec.class));
	}

	@Test
	void jackson2OfTheApplicationIsUsedWithoutJackson3() {
		this.runner.withClassLoader(new FilteredClassLoader("tools.jackson"))
			.withBean(ObjectMapper.class, ObjectMapper::new)
			.run((context) -> assertThat(context.getBean(PayloadCodec.class)).isInstanceOf(Jackson2PayloadCodec.class));
	}

	@Test
	void withoutAMapperTheCoreChooses() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(PayloadCodec.class));
	}

	@Test
	void ownCodecIsPreferred() {
		PayloadCodec own = mock(PayloadCodec.class);
		this.runner.withBean(JsonMapper.class, JsonMapper::new)
			.withBean("own", PayloadCodec.class, () -> own)
			.run((context) -> assertThat(context.getBean(PayloadCodec.class)).isSameAs(own));
	}

}
