package dev.workhorse.testsupport;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link JdbcAddress}.
 */
class JdbcAddressTests {

	@Test
	void loginOfTheUrlWinsAndOtherParametersStay() {
		JdbcAddress address = JdbcAddress.parse("jdbc:postgresql://db:5433/admin?sslmode=disable&user=tester",
				Map.of("user", "postgres"));
		assertThat(address.adminDatabase()).isEqualTo("admin");
		assertThat(address.username()).isEqualTo("tester");
		assertThat(address.jdbcUrl("other")).startsWith("jdbc:postgresql://db:5433/other?")
			.contains("user=tester", "sslmode=disable");
	}

	@Test
	void specialCharactersOfAPasswordSurvive() {
		JdbcAddress address = JdbcAddress.parse("jdbc:postgresql://db/admin", Map.of("password", "a&b=c?%"));
		assertThat(JdbcAddress.parse(address.jdbcUrl("x"), Map.of()).password()).isEqualTo("a&b=c?%");
	}

	@Test
	void otherDriversAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> JdbcAddress.parse("jdbc:h2:mem:x", Map.of()));
	}

}
