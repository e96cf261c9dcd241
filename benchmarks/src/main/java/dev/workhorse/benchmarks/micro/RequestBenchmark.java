package dev.workhorse.benchmarks.micro;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.workhorse.EnqueueKey;
import dev.workhorse.internal.json.JsonCanonicalizer;
import dev.workhorse.internal.key.KeyDigest;
import dev.workhorse.internal.key.KeyHasher;
import dev.workhorse.internal.key.KeySpace;
import dev.workhorse.internal.sql.TimeOrderedIds;
import dev.workhorse.payload.Jackson2PayloadCodec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The steps of a request, by the size of its payload.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RequestBenchmark {

	private static final int LINE_BYTES = 50;

	private static final int MOST_BYTES = 1_000_000;

	private final JsonCanonicalizer canonicalizer = new JsonCanonicalizer("payload", MOST_BYTES);

	private final KeyHasher hasher = new KeyHasher(null);

	private final KeyHasher pepperedHasher = new KeyHasher("a pepper of sixteen bytes or more");

	private final TimeOrderedIds ids = new TimeOrderedIds();

	private final EnqueueKey key = EnqueueKey.of("order-4711");

	private final Jackson2PayloadCodec codec = new Jackson2PayloadCodec();

	/** About how many bytes of JSON the payload is. */
	@Param({ "200", "5000", "30000" })
	int bytes;

	private Order payload = new Order("", List.of());

	private String json = "";

	private byte[] canonical = new byte[0];

	@Setup
	public void writePayload() {
		this.payload = new Order("A-4711",
				IntStream.range(0, Math.max(1, this.bytes / LINE_BYTES))
					.mapToObj((i) -> new Line("40063813339" + i % 10, i % 7, "12.50"))
					.toList());
		this.json = this.codec.write(this.payload);
		this.canonical = this.canonicalizer.canonical(this.json).getBytes(StandardCharsets.UTF_8);
	}

	@Benchmark
	public String write() {
		return this.codec.write(this.payload);
	}

	@Benchmark
	public String canonicalForm() {
		return this.canonicalizer.canonical(this.json);
	}

	@Benchmark
	public byte[] payloadHash() throws NoSuchAlgorithmException {
		return MessageDigest.getInstance("SHA-256").digest(this.canonical);
	}

	@Benchmark
	public KeyDigest keyHash() {
		return this.hasher.digest(KeySpace.ENQUEUE, this.key);
	}

	@Benchmark
	public KeyDigest keyHashWithPepper() {
		return this.pepperedHasher.digest(KeySpace.ENQUEUE, this.key);
	}

	@Benchmark
	public UUID id() {
		return this.ids.next();
	}

	/**
	 * A payload.
	 *
	 * @param number the number
	 * @param lines the lines
	 */
	public record Order(String number, List<Line> lines) {

	}

	/**
	 * A part of it.
	 *
	 * @param article the article
	 * @param pieces how many
	 * @param price the price
	 */
	public record Line(String article, int pieces, String price) {

	}

}
