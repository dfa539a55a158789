package org.berth.harness.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs the kernel runtime's own tests, which drive real kernels, and reports each of them. */
@DisplayName("The kernel runtime")
class KernelRuntimeTest {
    private static final Pattern VERDICT = Pattern.compile("^(\\S+) \\((\\S+)\\) \\.\\.\\. (.+)$", Pattern.MULTILINE);

    @TestFactory
    List<DynamicTest> everyPythonTestPasses() throws Exception {
        Path kernel = KernelSource.directory();
        ProcessBuilder builder =
                new ProcessBuilder("python3", "-m", "unittest", "discover", "-v", "-s", "tests", "-t", ".");
        builder.directory(kernel.toFile()).redirectErrorStream(true);
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.environment().remove("PYTHONPATH");
        KernelSource.requirePython();
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exitCode = process.waitFor();
        List<DynamicTest> tests = new ArrayList<>();
        verdicts(output)
                .forEach((name, verdict) -> tests.add(DynamicTest.dynamicTest(
                        name, () -> assertThat(verdict).as(failures(output)).isEqualTo("ok"))));
        tests.add(DynamicTest.dynamicTest("all of them ran", () -> {
            assertThat(exitCode).as(failures(output)).isZero();
            assertThat(output).contains("Ran " + (tests.size() - 1) + " tests");
            assertThat(tests.size()).as(failures(output)).isGreaterThan(50);
        }));
        return tests;
    }

    /** What unittest prints after the verdicts. */
    private static String failures(String output) {
        int rule = output.indexOf("\n=====");
        return rule < 0 ? output.substring(Math.max(0, output.length() - 2000)) : output.substring(rule);
    }

    private static Map<String, String> verdicts(String output) {
        Map<String, String> verdicts = new LinkedHashMap<>();
        Matcher matcher = VERDICT.matcher(output);
        while (matcher.find()) {
            String name = matcher.group(1).replaceFirst("^test_", "").replace('_', ' ');
            if (verdicts.put(name + " (" + matcher.group(2).replaceFirst("\\.test_[^.]*$", "") + ")", matcher.group(3))
                    != null) {
                fail("two tests of the name %s", matcher.group(2));
            }
        }
        return verdicts;
    }
}
