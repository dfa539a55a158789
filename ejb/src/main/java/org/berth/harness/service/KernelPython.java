package org.berth.harness.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.berth.environment.CommandOrder;
import org.berth.environment.CommandOutcome;
import org.berth.environment.HostCommands;
import org.berth.host.service.Host;
import org.berth.placement.service.Failures;
import org.berth.placement.service.InternalAdmission;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The interpreter of local kernels. Nothing is downloaded for a session. Source: harness.md, "Kernel and transport". */
@ApplicationScoped
public class KernelPython {
    /** What a caller is told where there is none. Source: harness.md, "Kernel and transport". */
    public static final String MISSING = "The Python kernel is not installed: run berth kernel install once";

    /** The variable of the server's environment by which a user names a Python of his own. */
    static final String OWN = "BERTH_KERNEL_PYTHON";

    private static final String ENV = "/usr/bin/env";

    /** Says which interpreter it is, when it is new enough. Source: harness.md, "Kernel and transport": 3.11 or newer. */
    private static final String QUESTION =
            "import sys; sys.version_info >= (3, 11) or sys.exit(3); print(sys.executable)";

    private static final int ANSWER_MILLIS = 10_000;
    private static final int ANSWER_BYTES = 16_384;

    @Inject
    private Host host;

    @Inject
    private HostCommands commands;

    /**
     * The absolute path of a Python that can run the kernel: the user's own, else the installed one, else the one on the
     * host's search path. Asked anew each time, so that an installation is seen at once. Fails with UNAVAILABLE.
     */
    public CompletionStage<String> find() {
        String own = System.getenv(OWN);
        Map<String, String> environment = InternalAdmission.environment(host.policy(), System.getenv());
        return commands.run(new CommandOrder(
                        ENV,
                        List.of(candidate(own, host.stateRoot()), "-c", QUESTION),
                        environment,
                        "/",
                        null,
                        ANSWER_MILLIS,
                        ANSWER_BYTES))
                .handle((outcome, failure) -> {
                    if (failure != null) {
                        throw Failures.unwrap(failure);
                    }
                    return answer(own, outcome);
                });
    }

    /** Which interpreter is asked. @param own null or empty for none */
    static String candidate(String own, Path stateRoot) {
        if (own != null && !own.isBlank()) {
            return own;
        }
        Path installed =
                stateRoot.resolve("kernel").resolve("python").resolve("bin").resolve("python3");
        return Files.isExecutable(installed) ? installed.toString() : "python3";
    }

    /** @throws BerthException UNAVAILABLE, which says what to do */
    static String answer(String own, CommandOutcome outcome) {
        String path = new String(outcome.stdout(), StandardCharsets.UTF_8).strip();
        if (outcome.exitCode() == 0 && path.startsWith("/") && path.lines().count() == 1) {
            return path;
        }
        throw new BerthException(
                ProblemCode.UNAVAILABLE,
                own == null || own.isBlank()
                        ? MISSING
                        : OWN + " names no Python of 3.11 or newer: correct it, or unset it and run berth kernel"
                                + " install once");
    }
}
