package org.berth.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.placement.PrepareRequest.Launch;
import org.berth.problem.BerthException;

/** The request's part {@code launch}. */
final class LaunchDecoder {
    static final int MOST_ARGUMENTS = 128;
    /** One less than the kernel's limit of 32 pages for one argument with its NUL. Source: execve(2). */
    static final int MOST_ARGUMENT_BYTES = 131_071;

    static final int MOST_ARGUMENTS_BYTES = 1_048_576;
    static final int MOST_STDIN_BYTES = 65_536;
    static final int MOST_READINESS = 256;
    /** Source: limits.h, PATH_MAX with its NUL. */
    static final int MOST_EXECUTABLE_BYTES = 4_095;

    private static final Set<String> FIELDS = Set.of(
            "executable",
            "argv",
            "stdin",
            "stdin_eof",
            "session_end",
            "environment",
            "working_directory_ref",
            "home_ref",
            "mode",
            "window",
            "readiness");

    private LaunchDecoder() {}

    static Launch decode(RequestNode request) {
        RequestNode launch = request.child("launch", FIELDS);
        String executable = executable(launch);
        String stdin = launch.has("stdin")
                ? RequestText.atMost(MOST_STDIN_BYTES, launch.path("stdin"), launch.text("stdin"))
                : null;
        boolean stdinEof = launch.flag("stdin_eof");
        if (stdinEof && stdin == null) {
            throw BerthException.invalid("launch.stdin_eof needs launch.stdin");
        }
        boolean closes = launch.has("session_end");
        if (closes && !launch.text("session_end").equals("stdin_close")) {
            throw BerthException.invalid("launch.session_end must be stdin_close or absent");
        }
        if (closes && stdinEof) {
            throw BerthException.invalid("launch.session_end excludes launch.stdin_eof");
        }
        TerminalSize window = window(launch);
        return new Launch(
                executable,
                arguments(launch, executable),
                stdin,
                stdinEof,
                closes,
                names(launch),
                reference(launch, "working_directory_ref"),
                reference(launch, "home_ref"),
                window == null ? LaunchMode.PIPES : LaunchMode.WINDOW,
                window,
                readiness(launch));
    }

    private static String executable(RequestNode launch) {
        String path = launch.path("executable");
        String executable = RequestText.withoutNul(path, launch.text("executable"));
        RequestText.atMost(MOST_EXECUTABLE_BYTES, path, executable);
        if (executable.isEmpty()) {
            throw BerthException.invalid(path + " must not be empty");
        }
        boolean bare = executable.indexOf('/') < 0 && !executable.equals(".") && !executable.equals("..");
        if (!bare && !executable.startsWith("/")) {
            throw BerthException.invalid(path + " must be an absolute path or a bare name");
        }
        return executable;
    }

    private static List<String> arguments(RequestNode launch, String executable) {
        List<String> arguments = new ArrayList<>();
        long bytes = 0;
        for (Object each : launch.list("argv", MOST_ARGUMENTS)) {
            String path = "launch.argv[" + arguments.size() + "]";
            String argument = RequestText.withoutNul(path, RequestNode.text(path, each));
            bytes += RequestText.bytes(RequestText.atMost(MOST_ARGUMENT_BYTES, path, argument));
            arguments.add(argument);
        }
        if (bytes > MOST_ARGUMENTS_BYTES) {
            throw BerthException.invalid("launch.argv must be at most " + MOST_ARGUMENTS_BYTES + " bytes together");
        }
        if (!arguments.isEmpty() && arguments.getFirst().equals(executable)) {
            throw BerthException.invalid("launch.argv[0] must be the first argument, not the executable again");
        }
        return List.copyOf(arguments);
    }

    private static List<String> names(RequestNode launch) {
        List<String> names = new ArrayList<>();
        for (Object each : launch.list("environment", PrepareRequestDecoder.MOST_ENVIRONMENT_NAMES)) {
            String path = "launch.environment[" + names.size() + "]";
            String name = RequestText.variable(path, RequestNode.text(path, each));
            if (names.contains(name)) {
                throw BerthException.invalid(path + " must be named once");
            }
            names.add(name);
        }
        return List.copyOf(names);
    }

    private static String reference(RequestNode launch, String name) {
        return launch.has(name) ? RequestText.identifier(launch.path(name), launch.text(name)) : null;
    }

    /** The window's size, which is there exactly in mode window; both of its two places are read. */
    private static TerminalSize window(RequestNode launch) {
        if (launch.raw("mode") instanceof Map) {
            if (launch.has("window")) {
                throw BerthException.invalid("launch.window must not be given beside a launch.mode that holds it");
            }
            RequestNode mode = launch.child("mode", Set.of("window"));
            mode.require("window");
            return size(mode.child("window", Set.of("rows", "cols")));
        }
        if (launch.word("mode", LaunchMode.PIPES) == LaunchMode.PIPES) {
            if (launch.has("window")) {
                throw BerthException.invalid("launch.window needs launch.mode window");
            }
            return null;
        }
        launch.require("window");
        return size(launch.child("window", Set.of("rows", "cols")));
    }

    static TerminalSize size(RequestNode window) {
        return new TerminalSize((int) window.integer("rows", 1, 1000), (int) window.integer("cols", 1, 1000));
    }

    private static String readiness(RequestNode launch) {
        if (!launch.has("readiness")) {
            return null;
        }
        String readiness = launch.text("readiness");
        int characters = readiness.codePointCount(0, readiness.length());
        if (characters < 1 || characters > MOST_READINESS) {
            throw BerthException.invalid("launch.readiness must be 1 to " + MOST_READINESS + " characters");
        }
        return readiness;
    }
}
