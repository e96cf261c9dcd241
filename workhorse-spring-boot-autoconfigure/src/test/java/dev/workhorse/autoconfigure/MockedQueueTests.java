package dev.workhorse.autoconfigure;

import java.util.UUID;

import dev.workhorse.Queue;
import dev.workhorse.operations.Jobs;
import dev.workhorse.runtime.Workhorse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.junit.jupiter.SpringExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;

/**
 * A test of an application that has no database.
 */
@ExtendWith(SpringExtension.class)
@TestPropertySource(properties = { "workhorse.schema.mode=none", "workhorse.worker.enabled=false",
		"spring.datasource.url=jdbc:postgresql://localhost:1/none", "workhorse.metrics.interval=0" })
class MockedQueueTests {

	@MockitoBean
	private Queue queue;

	@MockitoBean
	private Jobs jobs;

	@Autowired
	private Shop shop;

	@Autowired
	private Workhorse workhorse;

	@Test
	void queueAndJobsCanBeReplacedByMocks() {
		UUID id = UUID.randomUUID();
		given(this.queue.enqueue("orders.ship", "A-1")).willReturn(id);
		assertThat(this.shop.order("A-1")).isEqualTo(id);
		then(this.jobs).should().cancel(id, "shop", "sold out");
		assertThat(this.workhorse.queue()).isNotSameAs(this.queue);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, WorkhorseAutoConfiguration.class })
	@Import(Shop.class)
	static class Application {

	}

	record Shop(Queue queue, Jobs jobs) {

		UUID order(String number) {
			UUID id = this.queue.enqueue("orders.ship", number);
			this.jobs.cancel(id, "shop", "sold out");
			return id;
		}

	}

}
