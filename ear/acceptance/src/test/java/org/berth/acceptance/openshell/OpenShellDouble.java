package org.berth.acceptance.openshell;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The double's process: {@code OpenShellDouble STATE ARG...}. Exit codes: 0, 1 for an error, 2 for usage. */
final class OpenShellDouble {
    private static final int USAGE = 2;
    private static final int REFUSED = 1;
    private static final String GUEST_ROOT = "/sandbox/openrig";

    private final OpenShellState state;

    private OpenShellDouble(OpenShellState state) {
        this.state = state;
    }

    public static void main(String[] args) throws Exception {
        OpenShellState state = new OpenShellState(Path.of(args[0]));
        List<String> argv = List.of(args).subList(1, args.length);
        state.recordCall(argv);
        System.exit(new OpenShellDouble(state).run(argv));
    }

    private int run(List<String> argv) throws Exception {
        if (argv.equals(List.of("--version"))) {
            System.out.println("openshell " + state.version());
            return 0;
        }
        if (argv.size() < 6
                || !argv.get(0).equals("--gateway")
                || !argv.get(2).equals("--workspace")
                || !argv.get(4).equals("sandbox")) {
            return usage(argv);
        }
        String workspace = argv.get(3);
        String verb = argv.get(5);
        List<String> rest = argv.subList(6, argv.size());
        List<String> faults = state.takeFaults(verb);
        if (faults.contains("hold")) {
            state.hold(verb);
        }
        if (faults.contains("hang")) {
            TimeUnit.MINUTES.sleep(10);
        }
        if (faults.contains("fail")) {
            System.err.println("error: transport error");
            return REFUSED;
        }
        int code = effect(argv, workspace, verb, rest, faults);
        return code;
    }

    private int effect(List<String> argv, String workspace, String verb, List<String> rest, List<String> faults)
            throws Exception {
        boolean lost = faults.contains("lose-reply");
        switch (verb) {
            case "list" -> {
                return rest.equals(List.of("--output", "json", "--page-size", "100"))
                        ? list(workspace, faults)
                        : usage(argv);
            }
            case "get" -> {
                return rest.size() == 3 && rest.subList(1, 3).equals(List.of("--output", "json"))
                        ? get(workspace, rest.getFirst(), faults)
                        : usage(argv);
            }
            case "create" -> {
                return create(argv, workspace, rest, lost);
            }
            case "exec" -> {
                return exec(argv, workspace, rest, faults, lost);
            }
            case "upload" -> {
                return rest.size() == 4 && rest.get(3).equals("--no-git-ignore")
                        ? answer(upload(workspace, rest), lost)
                        : usage(argv);
            }
            case "stop" -> {
                return rest.size() == 1 ? answer(stop(workspace, rest.getFirst()), lost) : usage(argv);
            }
            case "delete" -> {
                return rest.size() == 1 ? answer(delete(workspace, rest.getFirst()), lost) : usage(argv);
            }
            case "connect" -> {
                return rest.size() == 1 ? connect(workspace, rest.getFirst()) : usage(argv);
            }
            default -> {
                return usage(argv);
            }
        }
    }

    private static int answer(int code, boolean lost) {
        if (lost) {
            System.err.println("error: connection reset");
            return REFUSED;
        }
        return code;
    }

    private static int usage(List<String> argv) {
        System.err.println("error: unexpected argument in: " + argv);
        return USAGE;
    }

    private int list(String workspace, List<String> faults) throws IOException {
        List<String> rows = new ArrayList<>();
        for (OpenShellState.Sandbox sandbox : state.sandboxes()) {
            if (sandbox.get("workspace").equals(workspace)) {
                rows.add(sandbox.json(List.of()));
                if (faults.contains("duplicate")) {
                    rows.add(sandbox.json(List.of("identity=conflicting-resource")));
                }
            }
        }
        if (faults.contains("empty")) {
            rows.clear();
        }
        System.out.println("{\"sandboxes\":[" + String.join(",", rows) + "],\"next_page_token\":\""
                + (faults.contains("incomplete") ? "second-page" : "") + "\"}");
        return 0;
    }

    private int get(String workspace, String name, List<String> faults) throws IOException {
        OpenShellState.Sandbox sandbox = state.find(workspace, name);
        if (sandbox == null) {
            System.err.println("error: sandbox not found");
            return REFUSED;
        }
        System.out.println(sandbox.json(faults));
        return 0;
    }

    private int create(List<String> argv, String workspace, List<String> rest, boolean lost) throws Exception {
        List<String> shape = List.of(
                "--name",
                "*",
                "--from",
                "*",
                "--provider",
                "*",
                "--no-auto-providers",
                "--cpu",
                "1",
                "--memory",
                "2Gi",
                "--policy",
                "*",
                "--label",
                "*",
                "--tty",
                "--detach",
                "--restart-policy",
                "never",
                "--output",
                "json",
                "--",
                "python3",
                "/opt/openrig/guest.py");
        if (!matches(rest, shape) || !rest.get(14).startsWith("openrigoperation=")) {
            return usage(argv);
        }
        OpenShellState.Sandbox made;
        try (FileChannel lock = FileChannel.open(
                        state.root().resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = lock.lock()) {
            if (!held.isValid() || state.find(workspace, rest.get(1)) != null) {
                System.err.println("error: sandbox '" + rest.get(1) + "' already exists");
                return REFUSED;
            }
            made = state.make(
                    workspace,
                    rest.get(1),
                    rest.get(14).substring("openrigoperation=".length()),
                    rest.get(3),
                    rest.get(5));
            Files.copy(Path.of(rest.get(12)), made.tree().resolveSibling(made.get("id") + ".policy.yaml"));
        }
        made.startLatch();
        if (lost) {
            System.err.println("error: connection reset");
            return REFUSED;
        }
        System.out.println(made.json(List.of()));
        return 0;
    }

    private int exec(List<String> argv, String workspace, List<String> rest, List<String> faults, boolean lost)
            throws Exception {
        List<String> shape = List.of(
                "*",
                "--no-login-shell",
                "--timeout",
                "20",
                "--",
                "python3",
                "/opt/openrig/guest.py",
                "--root",
                GUEST_ROOT);
        if (rest.size() <= shape.size() || !matches(rest.subList(0, shape.size()), shape)) {
            return usage(argv);
        }
        OpenShellState.Sandbox sandbox = state.find(workspace, rest.getFirst());
        if (sandbox == null) {
            System.err.println("error: sandbox not found");
            return REFUSED;
        }
        if (!sandbox.get("phase").equals("Ready")) {
            System.err.println(
                    "error: sandbox '" + rest.getFirst() + "' is not ready (phase: " + sandbox.get("phase") + ")");
            return REFUSED;
        }
        List<String> options = new ArrayList<>(List.of("--root", GUEST_ROOT));
        options.addAll(rest.subList(shape.size(), rest.size()));
        String growing = faults.stream()
                .filter(fault -> fault.startsWith("grow="))
                .map(fault -> fault.substring("grow=".length()))
                .findFirst()
                .orElse(null);
        Thread grower = growing == null ? null : grow(sandbox.tree().resolve(growing));
        ProcessBuilder helper = new ProcessBuilder(sandbox.inside(options));
        helper.environment().clear();
        helper.environment().putAll(sandbox.environment());
        Process process = helper.redirectErrorStream(false)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        byte[] printed = process.getInputStream().readAllBytes();
        int code = process.waitFor();
        if (grower != null) {
            grower.interrupt();
            grower.join();
        }
        if (lost) {
            System.err.println("error: connection reset");
            return REFUSED;
        }
        System.out.write(printed);
        System.out.flush();
        return code;
    }

    private static Thread grow(Path file) {
        return Thread.ofPlatform().start(() -> {
            byte[] more = new byte[65_536];
            try {
                while (!Thread.currentThread().isInterrupted() && Files.size(file) < 64L * 1_048_576) {
                    Files.write(file, more, StandardOpenOption.APPEND);
                }
            } catch (IOException e) {
                System.err.println("cannot grow " + file + ": " + e);
            }
        });
    }

    private int upload(String workspace, List<String> rest) throws IOException {
        OpenShellState.Sandbox sandbox = state.find(workspace, rest.getFirst());
        String destination = rest.get(2);
        if (sandbox == null || !destination.startsWith(GUEST_ROOT + "/")) {
            System.err.println("error: sandbox not found");
            return REFUSED;
        }
        Path target = sandbox.tree().resolve(destination.substring(GUEST_ROOT.length() + 1));
        Path arriving = target.resolveSibling(".arriving-" + UUID.randomUUID());
        Files.copy(Path.of(rest.get(1)), arriving);
        Files.move(arriving, target, StandardCopyOption.ATOMIC_MOVE);
        return 0;
    }

    private int stop(String workspace, String name) throws Exception {
        OpenShellState.Sandbox sandbox = state.find(workspace, name);
        if (sandbox == null) {
            System.err.println("error: sandbox not found");
            return REFUSED;
        }
        sandbox.endProcesses();
        sandbox.set("phase", "Stopped");
        return 0;
    }

    private int delete(String workspace, String name) throws Exception {
        OpenShellState.Sandbox sandbox = state.find(workspace, name);
        if (sandbox == null) {
            System.err.println("error: sandbox not found");
            return REFUSED;
        }
        sandbox.endProcesses();
        sandbox.remove();
        return 0;
    }

    private int connect(String workspace, String name) throws Exception {
        OpenShellState.Sandbox sandbox = state.find(workspace, name);
        if (sandbox == null) {
            System.err.println("error: sandbox not found");
            return REFUSED;
        }
        ProcessBuilder viewer =
                new ProcessBuilder(sandbox.inside(List.of("--view", GUEST_ROOT + "/control/viewer.sock"))).inheritIO();
        viewer.environment().putAll(sandbox.environment());
        return viewer.start().waitFor();
    }

    private static boolean matches(List<String> given, List<String> shape) {
        if (given.size() != shape.size()) {
            return false;
        }
        for (int i = 0; i < shape.size(); i++) {
            if (!shape.get(i).equals("*") && !shape.get(i).equals(given.get(i))) {
                return false;
            }
        }
        return given.stream().collect(Collectors.joining()).indexOf('\0') < 0;
    }
}
