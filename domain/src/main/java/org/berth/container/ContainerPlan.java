package org.berth.container;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.placement.Attempt;
import org.berth.placement.SpawnOrder;

/**
 * Everything that a container is created from. What hardens it is no part of the plan: it holds for every container
 * (read-only root, no capability, no new privileges, no log of the engine's own).
 *
 * @param name its only name
 * @param image by id or digest
 * @param command the program and its arguments
 * @param environment its whole environment; values may be secret, so that none goes into a command line or a log
 * @param mounts the home first
 * @param workingDirectory absolute
 * @param terminal whether it has a terminal
 * @param stdin whether its standard input is open
 * @param labels the six labels
 * @param settings limits, network and users
 */
public record ContainerPlan(
        String name,
        String image,
        List<String> command,
        Map<String, String> environment,
        List<ContainerMount> mounts,
        Path workingDirectory,
        boolean terminal,
        boolean stdin,
        Map<String, String> labels,
        ContainerSettings settings) {
    /** The name of the file in the private home that holds the input of a one-turn launch. */
    public static final String INPUT = ".berth-input";

    /** Replaces the shell by the program, its input being the file that {@code $0} names. */
    private static final String FROM_FILE = "exec \"$@\" < \"$0\"";

    public ContainerPlan {
        command = List.copyOf(command);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        mounts = List.copyOf(mounts);
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /**
     * The plan of one attempt.
     *
     * @param executable a path or name inside the image
     * @param launch what would run natively: arguments, terminal, input and directory are its; a name of the image
     *     replaces its executable
     * @param environment the program's whole environment
     * @param mounts of {@link ContainerMount#plan}; one of them must hold the working directory
     */
    public static ContainerPlan of(
            Attempt attempt,
            String executable,
            SpawnOrder launch,
            ContainerSettings settings,
            Map<String, String> environment,
            List<ContainerMount> mounts) {
        boolean oneTurn = launch.stdinEof();
        List<String> command = new ArrayList<>();
        if (oneTurn) {
            Path input = mounts.getFirst().path().resolve(INPUT);
            command.addAll(List.of(settings.shell(), "-c", FROM_FILE, input.toString()));
        }
        command.add(executable);
        command.addAll(launch.argv());
        return new ContainerPlan(
                ContainerLabels.name(attempt.attemptKey()),
                settings.imageOf(attempt.policyRef()),
                command,
                environment,
                mounts,
                Path.of(launch.workingDirectory()),
                launch.terminal() != null,
                !oneTurn,
                ContainerLabels.of(attempt),
                settings);
    }

    /** Whether the program's input comes from a file in the home, {@link #INPUT}. */
    public boolean inputFromFile() {
        return !stdin;
    }
}
