package org.berth.harness.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.JqwikException;
import net.jqwik.api.Property;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The laws are held by the production classes and not by their models alone: each law's property fails under every listed
 * mutation of a production class, and passes over the same classes compiled as they are.
 */
class LawMutationTest {
    private static final Path ROOT = Path.of(System.getProperty("berth.root"));
    private static final String LAW_NAME = "[a-z]+(_[a-z0-9]+)+";
    /** Held, so that its level stays: every run without a database is announced otherwise. */
    private static final Logger ANNOUNCEMENTS = Logger.getLogger("net.jqwik.engine.DefaultJqwikConfiguration");

    private static final MutantCompiler COMPILER = new MutantCompiler();

    @BeforeAll
    static void silenceTheAnnouncements() {
        ANNOUNCEMENTS.setLevel(Level.WARNING);
    }

    @AfterAll
    static void closeTheCompiler() throws IOException {
        COMPILER.close();
    }

    static List<LawMutation> mutations() {
        return LawMutations.ALL;
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void aLawFailsUnderItsMutation(LawMutation mutation) throws Exception {
        String source = source(mutation);
        assertThat(source.split(java.util.regex.Pattern.quote(mutation.text()), -1))
                .as("the text stands in %s exactly once", mutation.productionFile())
                .hasSize(2);
        String mutant = source.replace(mutation.text(), mutation.replacement());
        TestExecutionResult result =
                run(mutation.testClass(), mutation.law(), COMPILER.compile(mutation.productionFile(), mutant));
        assertThat(result.getStatus()).isEqualTo(TestExecutionResult.Status.FAILED);
        assertThat(result.getThrowable()).get().isNotInstanceOfAny(LinkageError.class, JqwikException.class);
    }

    /** One of the mutations of each law, with nothing replaced. */
    static List<LawMutation> laws() {
        return List.copyOf(LawMutations.ALL.stream()
                .collect(Collectors.toMap(LawMutation::law, mutation -> mutation, (first, second) -> first))
                .values());
    }

    @ParameterizedTest
    @MethodSource("laws")
    void aLawHoldsOverTheSameClassesAsTheyAre(LawMutation mutation) throws Exception {
        Map<String, byte[]> unchanged = COMPILER.compile(mutation.productionFile(), source(mutation));
        assertThat(run(mutation.testClass(), mutation.law(), unchanged)).isEqualTo(TestExecutionResult.successful());
    }

    @Test
    void everyLawOfTheModuleHasAMutation() throws Exception {
        Set<String> mutated = LawMutations.ALL.stream()
                .map(mutation -> mutation.testClass() + "." + mutation.law())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(lawsOfTheModule()).isNotEmpty().isEqualTo(mutated);
    }

    /** The list is that of the reference's law tables and of harness.md, each law once, by the part that names it. */
    @Test
    void everyLawOfTheReferenceHasAPropertyAndAMutation() throws Exception {
        List<String> reference = reference();
        assertThat(reference).doesNotHaveDuplicates().hasSize(44);
        assertThat(LawMutations.ALL.stream().map(LawMutation::law).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(reference);
        assertThat(lawsOfTheModule().stream()
                        .map(law -> law.substring(law.lastIndexOf('.') + 1))
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(reference);
    }

    /** The names of the list: a line that starts with {@code #} names a part. */
    private static List<String> reference() throws IOException {
        try (InputStream list = LawMutationTest.class.getResourceAsStream("laws.txt")) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(String::strip)
                    .toList();
        }
    }

    private static Set<String> lawsOfTheModule() throws IOException, ClassNotFoundException {
        Path classes = ROOT.resolve("harness/target/test-classes");
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.walk(classes)) {
            files.map(file -> classes.relativize(file).toString())
                    .filter(name -> name.endsWith("Test.class"))
                    .forEach(name -> names.add(
                            name.substring(0, name.length() - ".class".length()).replace('/', '.')));
        }
        Set<String> laws = new TreeSet<>();
        for (String name : names) {
            methods(Class.forName(name, false, LawMutationTest.class.getClassLoader()))
                    .filter(method -> method.isAnnotationPresent(Property.class))
                    .filter(method -> method.getName().matches(LAW_NAME))
                    .forEach(method -> laws.add(name + "." + method.getName()));
        }
        return laws;
    }

    /** Its own and those it inherits: laws that two classes keep stand in one place. */
    private static Stream<Method> methods(Class<?> type) {
        return Stream.<Class<?>>iterate(type, each -> each != null && each != Object.class, Class::getSuperclass)
                .flatMap(each -> Arrays.stream(each.getDeclaredMethods()));
    }

    private static String source(LawMutation mutation) throws IOException {
        return Files.readString(
                ROOT.resolve(mutation.module()).resolve("src/main/java").resolve(mutation.productionFile()));
    }

    /** Runs one property over classes loaded for it alone; a failure is not shrunk, stored or printed. */
    private static TestExecutionResult run(String testClass, String law, Map<String, byte[]> classes)
            throws ClassNotFoundException {
        Class<?> loaded = new MutantLoader(classes).loadClass(testClass);
        Method property = methods(loaded)
                .filter(method -> method.getName().equals(law))
                .findFirst()
                .orElseThrow(() -> new AssertionError(testClass + " has no property " + law));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectMethod(loaded, property))
                .filters(EngineFilter.includeEngines("jqwik"))
                .configurationParameter("jqwik.database", "")
                .configurationParameter("jqwik.shrinking.default", "OFF")
                .configurationParameter("jqwik.reporting.usejunitplatform", "true")
                .build();
        List<TestExecutionResult> results = new ArrayList<>();
        launcher().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                    results.add(result);
                }
            }
        });
        assertThat(results).as("%s.%s runs once", testClass, law).hasSize(1);
        return results.getFirst();
    }

    private static Launcher launcher() {
        return LauncherFactory.create(LauncherConfig.builder()
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .build());
    }
}
