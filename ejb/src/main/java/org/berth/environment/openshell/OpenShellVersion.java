package org.berth.environment.openshell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.berth.environment.EnvironmentPlacement;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The command lines of one version of OpenShell. Source: facts on OpenShell; 0.1.6 is the reference's, 0.0.111 the
 * newest public one.
 */
enum OpenShellVersion {
    V0_1_6("0.1.6", List.of("python3", "/opt/openrig/guest.py")) {
        @Override
        List<String> list() {
            return List.of("list", "--output", "json", "--page-size", PAGE);
        }

        @Override
        List<String> exec(String name) {
            return List.of("exec", name, "--no-login-shell", "--timeout", EXEC_SECONDS, "--");
        }

        @Override
        List<String> createOptions() {
            return List.of("--restart-policy", "never", "--output", "json");
        }
    },
    V0_0_111("0.0.111", List.of("/opt/openrig/bin/guest")) {
        @Override
        List<String> list() {
            return List.of("list", "--output", "json", "--limit", PAGE, "--offset", "0");
        }

        @Override
        List<String> exec(String name) {
            return List.of("exec", "-n", name, "--no-login-shell", "--timeout", EXEC_SECONDS, "--");
        }

        /** This version takes no output format together with a command: the answer is read by {@code get}. */
        @Override
        List<String> createOptions() {
            return List.of();
        }
    };

    /** Rows of one listing page. */
    static final int PAGE_ROWS = 100;

    /** The label that carries the effect id: {@value}. */
    static final String LABEL = "openrigoperation";

    private static final String PAGE = Integer.toString(PAGE_ROWS);
    private static final String EXEC_SECONDS = "20";
    private static final Pattern NUMBER = Pattern.compile("(?<![0-9.])([0-9]+\\.[0-9]+\\.[0-9]+)(?![0-9.])");

    private final String number;
    private final List<String> helper;

    OpenShellVersion(String number, List<String> helper) {
        this.number = number;
        this.helper = helper;
    }

    /** What {@code openshell --version} printed. @throws BerthException openshell_version_unsupported, naming the known */
    static OpenShellVersion of(String printed) {
        Matcher found = NUMBER.matcher(printed);
        String number = found.find() ? found.group(1) : "an unreadable version";
        return Arrays.stream(values())
                .filter(version -> version.number.equals(number))
                .findFirst()
                .orElseThrow(() -> new BerthException(
                        ProblemCode.OPENSHELL_VERSION_UNSUPPORTED,
                        "OpenShell answers " + number + "; Berth knows "
                                + Arrays.stream(values()).map(v -> v.number).collect(Collectors.joining(" and "))
                                + "."));
    }

    abstract List<String> list();

    abstract List<String> exec(String name);

    abstract List<String> createOptions();

    boolean answersCreate() {
        return createOptions().contains("--output");
    }

    /** The helper's command in an image for this version. */
    List<String> helper() {
        return helper;
    }

    List<String> create(EnvironmentPlacement placement, String policyFile, String effectId) {
        List<String> argv = new ArrayList<>(List.of(
                "create",
                "--name",
                placement.name(),
                "--from",
                placement.image(),
                "--provider",
                placement.provider(),
                "--no-auto-providers",
                "--cpu",
                "1",
                "--memory",
                "2Gi",
                "--policy",
                policyFile,
                "--label",
                LABEL + "=" + effectId,
                "--tty",
                "--detach"));
        argv.addAll(createOptions());
        argv.add("--");
        argv.addAll(helper);
        return argv;
    }

    static List<String> prefix(EnvironmentPlacement placement) {
        return List.of("--gateway", placement.gateway(), "--workspace", placement.workspace(), "sandbox");
    }
}
