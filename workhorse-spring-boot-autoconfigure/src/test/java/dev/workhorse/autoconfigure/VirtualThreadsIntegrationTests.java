package dev.workhorse.autoconfigure;

import java.util.UUID;

import dev.workhorse.Queue;
import dev.workhorse.handler.JobHandler;
import dev.workhorse.testsupport.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class VirtualThreadsIntegrationTests {

	private static TestDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = TestJobStore.migratedDatabase();
	}

	@AfterAll
	static void dropDatabase() {
		database.close();
	}

	@Test
	void handlersRunOnPlatformThreadsUnlessAskedOtherwise() {
		assertThat(classOfTheThread(false)).isEqualTo("\"Thread\"");
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void handlersRunOnVirtualThreadsWhereTheApplicationUsesThem() {
		assertThat(classOfTheThread(true)).isEqualTo("\"VirtualThread\"");
	}

	private static String classOfTheThread(boolean virtual) {
		String[] result = new String[1];
		TestJobStore.application(database)
			.withPropertyValues("spring.threads.virtual.enabled=" + virtual)
			.withUserConfiguration(Handler.class)
			.run((context) -> {
				UUID id = context.getBean(Queue.class).enqueue("thread", null);
				result[0] = TestJobStore.awaitFinished(context, id).result();
			});
		return result[0];
	}

	@Configuration(proxyBeanMethods = false)
	static class Handler {

		// isVirtual() is unknown to Java 17
		@JobHandler("thread")
		String thread() {
			return Thread.currentThread().getClass().getSimpleName();
		}

	}

}
