package org.berth.harness.setup;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Python of this host that can run the kernel.
 *
 * @param version such as 3.11.7
 * @param interpreter absolute; what runs in the end, where the program that was asked is a script that chooses one by the
 *     working directory
 */
record HostPython(String version, Path interpreter) {
    /** Source: guest-helper/kernel/README.md. */
    private static final int MAJOR = 3;

    private static final int LEAST_MINOR = 11;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String QUESTION =
            "import sys; print('python', *sys.version_info[:3], sep='.', end=' '); print(sys.executable)";
    private static final Pattern ANSWER = Pattern.compile("python\\.((\\d{1,4})\\.(\\d{1,4})\\.\\d{1,4}) (.*)");

    /** Asks {@code program} for its version; empty when it does not answer, or is too old. */
    static Optional<HostPython> at(Path program, Programs programs) {
        String answer;
        try {
            answer = programs.run(List.of(program.toString(), "-I", "-c", QUESTION), PATIENCE)
                    .output();
        } catch (IOException e) {
            return Optional.empty();
        }
        Matcher version = ANSWER.matcher(answer);
        if (!version.find()
                || Integer.parseInt(version.group(2)) != MAJOR
                || Integer.parseInt(version.group(3)) < LEAST_MINOR) {
            return Optional.empty();
        }
        Path interpreter = version.group(4).startsWith("/") ? Path.of(version.group(4)) : program;
        return Optional.of(new HostPython(version.group(1), interpreter));
    }

    /** The first program of this name. @param path directories, separated by colons */
    static Optional<Path> onPath(String name, String path) {
        return Arrays.stream(path.split(File.pathSeparator))
                .filter(folder -> folder.startsWith("/"))
                .flatMap(folder -> candidate(folder, name).stream())
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    private static Optional<Path> candidate(String folder, String name) {
        try {
            return Optional.of(Path.of(folder, name));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
