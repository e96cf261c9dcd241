package dev.workhorse.benchmarks;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for what is written into the report.
 */
class ReportTests {

	private static final String PAGE = """
			# Page

			<!-- benchmark: one -->

			old

			<!-- end -->

			Prose.

			<!-- benchmark: two -->

			other

			<!-- end -->
			""";

	@Test
	void replacesOneBlockAndNothingElse() {
		assertThat(Report.replace(PAGE, "one", "new\n")).isEqualTo(PAGE.replace("old", "new"));
		assertThat(Report.replace(PAGE, "two", "new")).isEqualTo(PAGE.replace("other", "new"));
	}

	@Test
	void addsABlockThatIsNotThere() {
		assertThat(Report.replace(PAGE, "three", "new")).startsWith(PAGE)
			.endsWith("<!-- benchmark: three -->\n\nnew\n\n<!-- end -->\n");
	}

	@Test
	void refusesABlockWithoutEnd() {
		assertThatIllegalStateException().isThrownBy(() -> Report.replace("<!-- benchmark: one -->", "one", "new"))
			.withMessageContaining("<!-- end -->");
	}

	@Test
	void chartLiesBesideTheReport(@TempDir Path directory) throws IOException {
		Chart chart = Chart.bars("Title", List.of(new Chart.Bar("a", 1, true)));
		new Report(directory.resolve("page.md")).write("one", new Section("text", chart));
		assertThat(directory.resolve("page.md")).content().contains("text", "![one](images/performance-one.svg)");
		assertThat(Files.readString(directory.resolve("images/performance-one.svg"))).isEqualTo(chart.svg());
	}

	@Test
	void chartsAreWellFormed() throws Exception {
		Document bars = parse(
				Chart.bars("A & <b>", List.of(new Chart.Bar("`x` < y", 10, true), new Chart.Bar("z", 5, false))));
		assertThat(bars.getElementsByTagName("rect").getLength()).isEqualTo(2);
		assertThat(bars.getElementsByTagName("text").item(0).getTextContent()).isEqualTo("A & <b>");
		double longer = Double.parseDouble(
				bars.getElementsByTagName("rect").item(0).getAttributes().getNamedItem("width").getNodeValue());
		double shorter = Double.parseDouble(
				bars.getElementsByTagName("rect").item(1).getAttributes().getNamedItem("width").getNodeValue());
		assertThat(longer / shorter).isCloseTo(2, within(0.01));
		Document lines = parse(Chart.lines("Lines", List.of(new Chart.Line("up", List.of(1.0, 2.0, 3.0)))));
		assertThat(lines.getElementsByTagName("polyline").getLength()).isOne();
	}

	private static Document parse(Chart chart) throws Exception {
		return DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new ByteArrayInputStream(chart.svg().getBytes(StandardCharsets.UTF_8)));
	}

	@Test
	void ratiosAreTakenRoundByRound() {
		Figures own = new Figures();
		Figures other = new Figures();
		for (int round = 1; round <= 3; round++) {
			own.add(round * 10);
			other.add(round * 20);
		}
		assertThat(own.against(other).ratio()).isEqualTo("**0.50** (0.50–0.50)");
		assertThat(own.spread()).isEqualTo("20 (10–30)");
		assertThat(Figures.percentile(List.of(4.0, 1.0, 3.0, 2.0), 0.99)).isEqualTo(4);
	}

	@Test
	void argumentsAreChecked() throws Exception {
		assertThat(Arguments.parse("--only", "drain,idle", "--rounds", "3").only()).containsExactly("drain", "idle");
		assertThatIllegalArgumentException().isThrownBy(() -> Arguments.parse("--wrong", "1"))
			.withMessageContaining("--rounds");
		assertThatIllegalArgumentException().isThrownBy(() -> Arguments.parse("--only"))
			.withMessageContaining("needs a value");
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> Benchmarks.run(Arguments.parse("--only", "nothing")))
			.withMessageContaining("drain");
	}

}
