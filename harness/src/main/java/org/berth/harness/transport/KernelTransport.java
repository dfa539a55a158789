package org.berth.harness.transport;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Where a session's kernel runs. Source: harness.md, "Kernel and transport". */
public sealed interface KernelTransport {
    /** How the kernel names a host path; empty when it does not see it. */
    Optional<String> kernelPath(Path host);

    /**
     * A child of this host, with the host's environment.
     *
     * @param python the interpreter, which has this host's paths
     */
    record Local(String python) implements KernelTransport {
        @Override
        public Optional<String> kernelPath(Path host) {
            return Optional.of(host.toString());
        }
    }

    /**
     * Under a wrapper: a container, a virtual machine, another host.
     *
     * @param argvPrefix the wrapper's command, not empty; comes from the operator only
     * @param python the sandbox's interpreter; it has the runtime, unless a mount shows it
     * @param pathMap the shared directories
     * @param env names of host variables that the kernel gets; their values are visible to whoever may list processes
     */
    record Wrapped(List<String> argvPrefix, String python, CommandForm command, PathMap pathMap, List<String> env)
            implements KernelTransport {
        private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

        /** The interpreter where the setting names none. */
        public static final String PYTHON = "python3";

        /** @throws BerthException {@code invalid} for a setting that could start no kernel */
        public Wrapped {
            argvPrefix = List.copyOf(argvPrefix);
            env = List.copyOf(env);
            require(!argvPrefix.isEmpty(), "argvPrefix of a kernel transport is empty");
            require(
                    !python.isEmpty() && python.indexOf('=') < 0,
                    "python of a kernel transport must be a command without the sign =");
            for (String name : env) {
                require(NAME.matcher(name).matches(), "env of a kernel transport names no variable: " + name);
            }
        }

        private static void require(boolean holds, String problem) {
            if (!holds) {
                throw new BerthException(ProblemCode.INVALID, problem);
            }
        }

        @Override
        public Optional<String> kernelPath(Path host) {
            return pathMap.toSandbox(host);
        }
    }
}
