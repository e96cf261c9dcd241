package dev.workhorse.internal.sql;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TimeOrderedIds}.
 */
class TimeOrderedIdsTests {

	private final TimeOrderedIds ids = new TimeOrderedIds();

	@Test
	void idsOfOneMillisecondKeepTheirOrder() {
		List<UUID> made = Stream.generate(this.ids::next).limit(20_000).toList();
		assertThat(made).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void idBeginsWithTheTimeAndNamesItsVersion() {
		long before = System.currentTimeMillis();
		UUID id = this.ids.next();
		long after = System.currentTimeMillis();
		assertThat(id.getMostSignificantBits() >>> 16).isBetween(before, after);
		assertThat(id.version()).isEqualTo(7);
		assertThat(id.variant()).isEqualTo(2);
	}

	@Test
	void idsOfTwoMakersDiffer() {
		assertThat(this.ids.next().getLeastSignificantBits())
			.isNotEqualTo(new TimeOrderedIds().next().getLeastSignificantBits());
	}

}
