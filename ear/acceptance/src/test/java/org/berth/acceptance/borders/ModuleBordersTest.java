package org.berth.acceptance.borders;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The borders between the modules. Source: architecture.md, Modules. */
class ModuleBordersTest {
    private static final Path ROOT = Path.of(System.getProperty("berth.root")).toAbsolutePath();
    private static final List<String> MODULES = List.of(
            "domain",
            "harness",
            "connector/protocol",
            "connector/egress",
            "connector/supervisor",
            "connector/adapter",
            "guest-helper",
            "persistence",
            "ejb",
            "batch",
            "web/hooks",
            "web/daemon",
            "web/guest",
            "web/mcp",
            "cli");

    private static JavaClasses module(String name) {
        JavaClasses classes =
                new ClassFileImporter().importPath(ROOT.resolve(name).resolve("target/classes"));
        assertThat(classes).as("classes of " + name).isNotEmpty();
        return classes;
    }

    @Test
    void theDomainKnowsJavaOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.berth.placement",
                        "org.berth.container",
                        "org.berth.problem",
                        "org.berth.host",
                        "org.berth.driver",
                        "org.berth.credential",
                        "org.berth.fault",
                        "org.berth.files",
                        "org.berth.environment",
                        "org.berth.environment.policy",
                        "org.berth.driver",
                        "org.berth.preparer",
                        "org.berth.work",
                        "org.berth.rig",
                        "org.berth.activity",
                        "org.berth.event",
                        "org.berth.harness.session",
                        "org.berth.retention",
                        "org.berth.startup")
                .check(module("domain"));
    }

    @Test
    void theHarnessKnowsTheDomainJsonAndIgnoreRulesOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "jakarta.json..",
                        "org.eclipse.jgit..",
                        "org.berth.problem",
                        "org.berth.files",
                        "org.berth.placement",
                        "org.berth.host",
                        "org.berth.fault",
                        "org.berth.harness..")
                .check(module("harness"));
    }

    @Test
    void protocolAndSupervisorKnowJavaAndTheDomainOnly() {
        for (String name : List.of("connector/protocol", "connector/supervisor")) {
            classes()
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(
                            "java..",
                            "org.berth.placement",
                            "org.berth.problem",
                            "org.berth.files",
                            "org.berth.environment",
                            "org.berth.process.egress",
                            "org.berth.process.protocol..",
                            "org.berth.process.supervisor..")
                    .check(module(name));
        }
    }

    @Test
    void egressAndTheGuestsHelperKnowJavaOnly() {
        for (String name : List.of("connector/egress", "guest-helper")) {
            classes()
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage("java..", "org.berth.process.egress", "org.berth.guest..")
                    .check(module(name));
        }
    }

    @Test
    void theAdapterKnowsNothingOfServicesAndStores() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.berth..service..",
                        "org.berth..store..",
                        "org.berth..rest..",
                        "org.berth.process.supervisor..")
                .check(module("connector/adapter"));
    }

    @Test
    void theStoreKnowsNeitherServicesNorProcesses() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.berth..service..", "org.berth..rest..", "org.berth.process..")
                .check(module("persistence"));
    }

    @Test
    void servicesKnowNeitherRoutesNorTheSupervisor() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.berth..rest..", "org.berth.web..", "org.berth..batch..", "org.berth.process.supervisor..")
                .check(module("ejb"));
    }

    @Test
    void jobsGoThroughTheDomainsPorts() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.berth..service..", "org.berth..store..", "org.berth.process..", "jakarta.persistence..")
                .check(module("batch"));
    }

    @Test
    void routesReachStoresAndProcessesThroughServicesOnly() {
        for (String name : List.of("web/hooks", "web/daemon", "web/guest", "web/mcp")) {
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "org.berth..store..",
                            "org.berth.process.adapter..",
                            "jakarta.persistence..",
                            "jakarta.ejb..")
                    .check(module(name));
        }
    }

    @Test
    void theCommandLineKnowsThePublicRoutesOnly() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.berth.placement..", "org.berth.problem..", "org.berth.process..", "org.berth.access..")
                .check(module("cli"));
    }

    @Test
    void entitiesNeverLeaveTheirStore() {
        for (String name : List.of("persistence", "ejb", "web/daemon")) {
            noClasses()
                    .that()
                    .resideOutsideOfPackage("org.berth..store..")
                    .should()
                    .dependOnClassesThat()
                    .haveSimpleNameEndingWith("Entity")
                    .check(module(name));
        }
    }

    @Test
    void noPackageAppearsInTwoArchives() {
        Map<String, Set<String>> archives = new HashMap<>();
        for (String name : MODULES) {
            for (JavaClass each : module(name)) {
                archives.computeIfAbsent(each.getPackageName(), key -> new TreeSet<>())
                        .add(name);
            }
        }
        assertThat(archives.entrySet().stream().filter(entry -> entry.getValue().size() > 1))
                .isEmpty();
    }
}
