package dev.workhorse.autoconfigure;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.workhorse.payload.Jackson2PayloadCodec;
import dev.workhorse.payload.PayloadCodec;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Payloads are written the way the application writes JSON elsewhere. To be imported in
 * this order.
 */
final class PayloadCodecConfigurations {

	private PayloadCodecConfigurations() {
	}

	/**
	 * With the application's Jackson 3.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JsonMapper.class)
	@ConditionalOnMissingBean(PayloadCodec.class)
	@ConditionalOnSingleCandidate(JsonMapper.class)
	static class Jackson3 {

		@Bean
		Jackson3PayloadCodec workhorsePayloadCodec(JsonMapper mapper) {
			return new Jackson3PayloadCodec(mapper);
		}

	}

	/**
	 * With the application's Jackson 2.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(PayloadCodec.class)
	@ConditionalOnSingleCandidate(ObjectMapper.class)
	static class Jackson2 {

		@Bean
		Jackson2PayloadCodec workhorsePayloadCodec(ObjectMapper mapper) {
			return new Jackson2PayloadCodec(mapper);
		}

	}

}
