package org.berth.environment.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.environment.CommandOrder;
import org.berth.environment.CommandOutcome;
import org.berth.environment.HostCommands;
import org.berth.host.EnvironmentSettings.Engine;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Measures once, by a real child, whether this user can make the namespaces of an environment. A refusal is measured again
 * at the next question. For any thread. Source: environments.md, The local driver in detail.
 */
final class NamespaceCheck {
    private static final int MILLIS = 10_000;
    private static final int BYTES = 16_384;
    private static final List<String> PLACES = List.of("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin");

    private final HostCommands commands;
    private volatile Engine usable;

    NamespaceCheck(HostCommands commands) {
        this.commands = commands;
    }

    /** The engine to use. @throws BerthException environment_driver_unavailable, with what is missing and who allows it */
    Engine engine(Engine wanted) {
        Engine known = usable;
        if (known != null && (wanted == Engine.AUTO || wanted == known)) {
            return known;
        }
        List<String> reasons = new ArrayList<>();
        for (Engine each : List.of(Engine.BUBBLEWRAP, Engine.UNSHARE)) {
            if (wanted == Engine.AUTO || wanted == each) {
                Optional<String> missing = each == Engine.BUBBLEWRAP ? bubblewrap() : unshare();
                if (missing.isEmpty()) {
                    usable = each;
                    return each;
                }
                reasons.add(missing.get());
            }
        }
        throw new BerthException(
                ProblemCode.ENVIRONMENT_DRIVER_UNAVAILABLE,
                "This host cannot contain a local environment: " + String.join("; ", reasons) + ".");
    }

    private Optional<String> bubblewrap() {
        Optional<String> program = program("bwrap");
        if (program.isEmpty()) {
            return Optional.of("bubblewrap (bwrap) is not installed, an administrator installs the package bubblewrap");
        }
        List<String> arguments = new ArrayList<>(BubblewrapArguments.namespaces());
        BubblewrapArguments.system(arguments, GuestView.SystemDirectories.ofHost());
        arguments.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--", "/usr/bin/true"));
        return run(program.get(), arguments).map(said -> "bubblewrap cannot make namespaces (" + said + ")" + remedy());
    }

    private Optional<String> unshare() {
        for (String name : UnshareScript.PROGRAMS) {
            if (program(name).isEmpty()) {
                return Optional.of("unshare cannot stand in for bubblewrap (" + name
                        + " is not installed), an administrator installs the packages util-linux and iproute2");
            }
        }
        List<String> arguments = new ArrayList<>(UnshareScript.ARGUMENTS);
        arguments.addAll(List.of("--mount-proc", "--", program("ip").orElseThrow(), "link", "set", "lo", "up"));
        return run(program("unshare").orElseThrow(), arguments)
                .map(said -> "unshare cannot make namespaces (" + said + ")" + remedy());
    }

    /** Where {@code name} is among the system's programs. */
    static Optional<String> program(String name) {
        return PLACES.stream()
                .map(place -> place + "/" + name)
                .filter(path -> Files.isExecutable(Path.of(path)))
                .findFirst();
    }

    /** What a command says when it does not end with 0; empty when it does. */
    Optional<String> run(String executable, List<String> arguments) {
        CommandOutcome outcome = Answers.of(commands.run(new CommandOrder(
                executable,
                arguments,
                Map.of("PATH", String.join(":", PLACES), "LC_ALL", "C"),
                "/",
                null,
                MILLIS,
                BYTES)));
        if (outcome.exitCode() == 0) {
            return Optional.empty();
        }
        String said = new String(outcome.stderr(), StandardCharsets.UTF_8).strip();
        return Optional.of(
                said.isEmpty()
                        ? "exit code " + outcome.exitCode()
                        : said.lines().findFirst().orElseThrow());
    }

    /** What an administrator changes, as far as the kernel's settings tell. */
    static String remedy() {
        if ("0".equals(setting("kernel/unprivileged_userns_clone"))) {
            return ", an administrator allows it with sysctl kernel.unprivileged_userns_clone=1";
        }
        if ("0".equals(setting("user/max_user_namespaces"))) {
            return ", an administrator allows it with sysctl user.max_user_namespaces=15000";
        }
        if ("1".equals(setting("kernel/apparmor_restrict_unprivileged_userns"))) {
            return ", an administrator allows it with an AppArmor profile for /usr/bin/bwrap that has userns, or with"
                    + " sysctl kernel.apparmor_restrict_unprivileged_userns=0";
        }
        return ", an administrator lets this user make user, network and mount namespaces (in a container: its seccomp"
                + " profile)";
    }

    private static String setting(String name) {
        try {
            return Files.readString(Path.of("/proc/sys", name)).strip();
        } catch (IOException e) {
            return null;
        }
    }
}
