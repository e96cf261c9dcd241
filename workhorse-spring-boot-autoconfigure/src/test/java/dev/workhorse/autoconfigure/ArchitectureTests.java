package dev.workhorse.autoconfigure;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

@AnalyzeClasses(packages = "dev.workhorse.autoconfigure", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule wiringSeesTheApiOnly = noClasses().should()
		.dependOnClassesThat()
		.resideInAPackage("dev.workhorse.internal..")
		.because("what the starter can do, an application without Spring Boot must be able to do");

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching("dev.workhorse.(**)").should().beFreeOfCycles();

}
