package dev.workhorse.internal.key;

import java.util.HexFormat;

import dev.workhorse.EnqueueKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyHasher}. The expected hashes were made with other tools: they must
 * never change, since keys in users' databases are found by them.
 */
class KeyHasherTests {

	private static final String PLAIN = "4d5fd6bb8172bc5c50848bc7a87c83531c1fc27115700bf1922603ac98a1d9b7";

	private static final String PEPPERED = "eb378b9d73ea24cee97b162747baae1df1e5af0713aa11d1f5a3c442c1c66ea3";

	private final KeyHasher plain = new KeyHasher(null);

	@Test
	void hashIsSha256OverSpaceScopeAndKey() {
		assertThat(hex(this.plain, new EnqueueKey("billing", "order-7-é"))).isEqualTo(PLAIN);
	}

	@Test
	void hashIsHmacWithAPepper() {
		assertThat(hex(new KeyHasher("pepper-é"), new EnqueueKey("billing", "order-7-é"))).isEqualTo(PEPPERED);
	}

	@Test
	void hashDiffersByPepperScopeAndKey() {
		EnqueueKey key = new EnqueueKey("a", "b");
		assertThat(hex(this.plain, key)).isNotEqualTo(hex(new KeyHasher("p"), key))
			.isNotEqualTo(hex(this.plain, new EnqueueKey("b", "a")))
			.isNotEqualTo(hex(this.plain, new EnqueueKey("a", "B")));
		assertThat(hex(new KeyHasher("p"), key)).isNotEqualTo(hex(new KeyHasher("q"), key));
	}

	@Test
	void partsCannotRunIntoEachOther() {
		assertThat(hex(this.plain, new EnqueueKey("ab", "c"))).isNotEqualTo(hex(this.plain, new EnqueueKey("a", "bc")));
		assertThat(hex(this.plain, new EnqueueKey("a/b", "c")))
			.isNotEqualTo(hex(this.plain, new EnqueueKey("a", "b/c")));
	}

	@Test
	void spacesHaveNamesThatDifferAndCarryNoNul() {
		assertThat(KeySpace.values()).extracting(KeySpace::label)
			.doesNotHaveDuplicates()
			.allSatisfy((label) -> assertThat(label).matches("[a-z-]+"));
	}

	@Test
	void shownDigestIsTheFirstTwelveHexCharacters() {
		KeyDigest digest = this.plain.digest(KeySpace.ENQUEUE, new EnqueueKey("billing", "order-7-é"));
		assertThat(digest.text()).isEqualTo(PLAIN.substring(0, 12)).isEqualTo(KeyDigest.text(digest.bytes()));
		assertThat(digest).hasToString(digest.text());
	}

	@Test
	void digestGivesAwayCopiesOnly() {
		KeyDigest digest = this.plain.digest(KeySpace.ENQUEUE, EnqueueKey.of("a"));
		byte[] bytes = digest.bytes();
		bytes[0]++;
		assertThat(digest.bytes()).hasSize(32).isNotEqualTo(bytes);
	}

	private static String hex(KeyHasher hasher, EnqueueKey key) {
		return HexFormat.of().formatHex(hasher.digest(KeySpace.ENQUEUE, key).bytes());
	}

}
