package dev.workhorse;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * What may see what. The API packages are what applications compile against;
 * {@code internal} holds the parts, which {@code runtime} assembles.
 */
@AnalyzeClasses(packages = "dev.workhorse", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	private static final String[] API = { "dev.workhorse", "dev.workhorse.conductor..", "dev.workhorse.handler..",
			"dev.workhorse.operations..", "dev.workhorse.payload..", "dev.workhorse.observation.." };

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching("dev.(**)")
		.should()
		.beFreeOfCycles()
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule apiDoesNotSeeInternals = noClasses().that()
		.resideInAnyPackage(API)
		.should()
		.dependOnClassesThat()
		.resideInAPackage("dev.workhorse.internal..")
		.because("applications must be able to compile against the API without the parts behind it")
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule onlyInternalsAndTheAssemblerSeeInternals = classes().that()
		.resideInAPackage("dev.workhorse.internal..")
		.should()
		.onlyHaveDependentClassesThat()
		.resideInAnyPackage("dev.workhorse.internal..", "dev.workhorse.runtime..")
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule workerDoesNotSeeEnqueue = noClasses().that()
		.resideInAPackage("dev.workhorse.internal.worker..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("dev.workhorse.internal.enqueue..")
		.because("accepting and running jobs meet in the tables only")
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule enqueueDoesNotSeeWorker = noClasses().that()
		.resideInAPackage("dev.workhorse.internal.enqueue..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("dev.workhorse.internal.worker..")
		.because("accepting and running jobs meet in the tables only")
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule coreDoesNotKnowBoot = noClasses().should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework.boot..")
		.because("only the auto-configuration knows Spring Boot")
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule packagesAreNullMarked = classes().should(resideInNullMarkedPackage()).allowEmptyShould(true);

	private static ArchCondition<JavaClass> resideInNullMarkedPackage() {
		return new ArchCondition<>("reside in a package whose package-info.java says @NullMarked") {

			@Override
			public void check(JavaClass item, ConditionEvents events) {
				boolean marked = item.getPackage()
					.tryGetPackageInfo()
					.map((info) -> info.isAnnotatedWith(NullMarked.class))
					.orElse(false);
				events.add(new SimpleConditionEvent(item, marked,
						"No package-info.java with @NullMarked in the package of " + item.getName()));
			}

		};
	}

}
