package org.berth.acceptance.openshell;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The double's state directory: {@code sandboxes/NAME.properties}, {@code sandboxes/NAME.row}, {@code trees/ID}, {@code faults/VERB}, {@code calls},
 * {@code version}, {@code guest} (link to the helper's image), {@code native} (the agent program) and {@code provider}
 * (environment lines that the provider injects).
 */
final class OpenShellState {
    private final Path root;

    OpenShellState(Path root) {
        this.root = root;
    }

    Path root() {
        return root;
    }

    String version() throws IOException {
        return Files.readString(root.resolve("version")).strip();
    }

    void recordCall(List<String> argv) throws IOException {
        Files.writeString(
                root.resolve("calls"),
                String.join("\u001f", argv).replace("\n", "\\n") + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /**
     * The faults set for {@code verb}; those not marked {@code always:} are spent by this. After a first line {@code
     * when=WORD} they are for a command line with that word only, and wait for it.
     */
    List<String> takeFaults(String verb, List<String> argv) throws IOException {
        Path file = root.resolve("faults").resolve(verb);
        if (Files.notExists(file)) {
            return List.of();
        }
        List<String> lines = Files.readAllLines(file);
        if (lines.getFirst().startsWith("when=")
                && !argv.contains(lines.getFirst().substring("when=".length()))) {
            return List.of();
        }
        if (lines.stream().noneMatch(line -> line.startsWith("always:"))) {
            Files.delete(file);
        }
        return lines.stream().map(line -> line.replaceFirst("^always:", "")).toList();
    }

    /** Shows that {@code verb} was asked for and waits until it may go on, at most 20 s. */
    void hold(String verb) throws IOException, InterruptedException {
        Files.writeString(held(verb), "");
        for (int i = 0; i < 2000 && Files.notExists(released(verb)); i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    Path held(String verb) {
        return root.resolve("holds").resolve(verb + ".held");
    }

    Path released(String verb) {
        return root.resolve("holds").resolve(verb + ".released");
    }

    List<Sandbox> sandboxes() throws IOException {
        List<Sandbox> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(root.resolve("sandboxes"))) {
            for (Path file : files.filter(file -> file.toString().endsWith(".properties"))
                    .sorted()
                    .toList()) {
                found.add(new Sandbox(file));
            }
        }
        return found;
    }

    Sandbox find(String workspace, String name) throws IOException {
        for (Sandbox sandbox : sandboxes()) {
            if (sandbox.get("workspace").equals(workspace)
                    && sandbox.get("name").equals(name)) {
                return sandbox;
            }
        }
        return null;
    }

    Sandbox make(String workspace, String name, String label, String image, String provider) throws IOException {
        Sandbox made = new Sandbox(root.resolve("sandboxes").resolve(workspace + "." + name + ".properties"));
        made.values.setProperty("id", UUID.randomUUID().toString());
        made.values.setProperty("name", name);
        made.values.setProperty("workspace", workspace);
        made.values.setProperty("phase", "Ready");
        made.values.setProperty("fingerprint", "SHA256:" + UUID.randomUUID());
        made.values.setProperty("label", label);
        made.values.setProperty("image", image);
        made.values.setProperty("provider", provider);
        for (String directory : List.of("control", "work/artifacts", "native")) {
            Files.createDirectories(made.tree().resolve(directory));
        }
        made.save();
        return made;
    }

    /** One sandbox. */
    final class Sandbox {
        private final Path file;
        private final Properties values = new Properties();

        private Sandbox(Path file) throws IOException {
            this.file = file;
            if (Files.exists(file)) {
                try (Reader reader = Files.newBufferedReader(file)) {
                    values.load(reader);
                }
            }
        }

        String get(String key) {
            return values.getProperty(key, "");
        }

        void set(String key, String value) throws IOException {
            values.setProperty(key, value);
            save();
        }

        Path tree() {
            return root.resolve("trees").resolve(get("id"));
        }

        private void save() throws IOException {
            Path fresh = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(fresh, json(List.of()) + "\n");
            Files.move(fresh, row(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            try (Writer writer = Files.newBufferedWriter(fresh)) {
                values.store(writer, null);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }

        /** The row as OpenShell prints it, with {@code identity=} and {@code phase=} of {@code faults} in it. */
        String json(List<String> faults) {
            String id = get("id");
            String phase = get("phase");
            for (String fault : faults) {
                id = fault.startsWith("identity=") ? fault.substring("identity=".length()) : id;
                phase = fault.startsWith("phase=") ? fault.substring("phase=".length()) : phase;
            }
            return "{\"id\":\"" + id + "\",\"name\":\"" + get("name") + "\",\"workspace\":\"" + get("workspace")
                    + "\",\"phase\":\"" + phase + "\",\"host_key_fingerprint\":\"" + get("fingerprint")
                    + "\",\"labels\":{\"openrigoperation\":\"" + get("label") + "\"}}";
        }

        /** What the provider injects: references only. */
        Map<String, String> environment() throws IOException {
            Map<String, String> environment = new TreeMap<>();
            environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
            environment.put("ANTHROPIC_API_KEY", "provider-reference-" + get("provider"));
            if (Files.exists(root.resolve("provider"))) {
                for (String line : Files.readAllLines(root.resolve("provider"))) {
                    environment.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
                }
            }
            return environment;
        }

        /** The helper's command with the tree at its guest place; processes and network are the host's. */
        List<String> inside(List<String> options) throws IOException {
            List<String> argv = new ArrayList<>(List.of("bwrap"));
            for (String system : List.of("/usr/bin", "/usr/lib", "/usr/lib64", "/usr/share", "/etc", "/proc")) {
                if (Files.exists(Path.of(system))) {
                    argv.addAll(List.of("--ro-bind", system, system));
                }
            }
            for (String link : List.of("bin", "lib", "lib64", "sbin")) {
                argv.addAll(List.of("--symlink", "usr/" + link, "/" + link));
            }
            argv.addAll(List.of(
                    "--dev",
                    "/dev",
                    "--tmpfs",
                    "/tmp",
                    "--bind",
                    tree().toString(),
                    "/sandbox/openrig",
                    "--ro-bind",
                    root.resolve("guest").toRealPath().toString(),
                    "/opt/openrig",
                    "--ro-bind",
                    root.resolve("native").toRealPath().toString(),
                    "/usr/local/bin/claude",
                    "--chdir",
                    "/sandbox/openrig/work",
                    "/opt/openrig/bin/guest"));
            argv.addAll(options);
            return argv;
        }

        void startLatch() throws IOException {
            List<String> argv = new ArrayList<>(List.of("setsid"));
            argv.addAll(inside(List.of("--root", "/sandbox/openrig")));
            ProcessBuilder latch = new ProcessBuilder(argv)
                    .redirectErrorStream(true)
                    .redirectOutput(
                            root.resolve("trees").resolve(get("id") + ".log").toFile());
            latch.redirectInput(Path.of("/dev/null").toFile());
            latch.environment().clear();
            latch.environment().putAll(environment());
            Process process = latch.start();
            set("pid", Long.toString(process.pid()));
        }

        void endProcesses() throws InterruptedException {
            ProcessHandle latch = get("pid").isEmpty()
                    ? null
                    : ProcessHandle.of(Long.parseLong(get("pid"))).orElse(null);
            if (latch == null) {
                return;
            }
            List<ProcessHandle> all = new ArrayList<>(latch.descendants().toList());
            all.add(latch);
            all.forEach(ProcessHandle::destroyForcibly);
            for (ProcessHandle each : all) {
                while (each.isAlive() && !defunct(each)) {
                    TimeUnit.MILLISECONDS.sleep(5);
                }
            }
        }

        private boolean defunct(ProcessHandle process) {
            try {
                return Files.readString(Path.of("/proc/" + process.pid() + "/stat"))
                        .contains(") Z ");
            } catch (IOException e) {
                return true;
            }
        }

        void remove() throws IOException {
            Files.delete(row());
            Files.delete(file);
        }

        /** What a {@code get} without a fault prints; {@link OpenShellWorld}'s script answers such a one itself. */
        private Path row() {
            return Path.of(file.toString().replaceFirst("properties$", "row"));
        }
    }
}
