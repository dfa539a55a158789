package org.berth.harness.setup;

import java.util.List;

/** What is done for a kernel's Python, decided without looking at anything. Source: harness.md, kernel environment. */
public sealed interface SetupStep {
    /** Kernels start on this Python. */
    record Use(PythonOrigin origin) implements SetupStep {}

    /** The virtual environment is made anew by these commands, one after the other up to the first that fails. */
    record Build(List<UvCommand> commands) implements SetupStep {
        public Build {
            commands = List.copyOf(commands);
        }
    }

    /** No kernel starts; every other tool works. */
    record Missing() implements SetupStep {}

    /**
     * The first step.
     *
     * @param named whether {@code BERTH_KERNEL_PYTHON} is set
     * @param hostWillDo whether the host's python3 is new enough
     */
    static SetupStep first(SetupBy by, boolean named, VenvFound venv, boolean hostWillDo) {
        if (named) {
            return new Use(PythonOrigin.NAMED);
        }
        return switch (venv) {
            case CHECKED -> new Use(PythonOrigin.VENV);
            case OTHER_BUILD -> build(by);
            case NONE -> by == SetupBy.SESSION && hostWillDo ? new Use(PythonOrigin.HOST) : build(by);
        };
    }

    /** The step after a build. @param built whether every command was there and succeeded */
    static SetupStep afterBuild(SetupBy by, boolean built, boolean hostWillDo) {
        if (built) {
            return new Use(PythonOrigin.VENV);
        }
        return by == SetupBy.SESSION && hostWillDo ? new Use(PythonOrigin.HOST) : new Missing();
    }

    private static SetupStep build(SetupBy by) {
        return new Build(UvCommand.of(by));
    }
}
