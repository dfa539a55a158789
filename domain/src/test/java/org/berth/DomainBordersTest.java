package org.berth;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "org.berth", importOptions = ImportOption.DoNotIncludeTests.class)
class DomainBordersTest {
    @ArchTest
    static final ArchRule the_domain_uses_java_base_and_itself_only = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "org.berth..",
                    "java.lang..",
                    "java.util",
                    "java.util.concurrent..",
                    "java.util.function",
                    "java.util.regex",
                    "java.util.stream",
                    "java.io",
                    "java.math",
                    "java.net",
                    "java.nio..",
                    "java.security",
                    "java.time..");

    @ArchTest
    static final ArchRule the_error_model_uses_no_other_feature = noClasses()
            .that()
            .resideInAPackage("org.berth.problem..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.berth.placement..", "org.berth.host..");

    @ArchTest
    static final ArchRule packages_form_no_cycle =
            slices().matching("org.berth.(*)..").should().beFreeOfCycles();
}
