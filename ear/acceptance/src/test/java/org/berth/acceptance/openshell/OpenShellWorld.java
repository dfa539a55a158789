package org.berth.acceptance.openshell;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.berth.acceptance.agent.AgentPrograms;

/** One OpenShell double for a test: its state, the faults that it shows next, and what it was asked. */
public final class OpenShellWorld {
    private static final List<Class<?>> CLASSES =
            List.of(OpenShellDouble.class, OpenShellState.class, OpenShellState.Sandbox.class);

    /** Half of all calls look at one sandbox: without a fault to show, no virtual machine starts for that. */
    private static final String QUICK_GET = """
            #!/bin/sh
            row="ROOT/sandboxes/$4.$7.row"
            if [ "$#" = 9 ] && [ "$1 $3 $5 $6 $8 $9" = "--gateway --workspace sandbox get --output json" ] \\
                && [ ! -e "ROOT/faults/get" ] && [ -e "$row" ]; then
              printf '%s\\037%s\\037%s\\037%s\\037%s\\037%s\\037%s\\037%s\\037%s\\n' "$@" >> "ROOT/calls"
              exec /bin/cat "$row"
            fi
            """;

    private final Path root;
    private final OpenShellState state;

    /**
     * @param root an empty directory; what is in it belongs to the server's user once the caller has given it away
     * @param guest the guest helper's image
     */
    public OpenShellWorld(Path root, Path guest) {
        this.root = root;
        state = new OpenShellState(root);
        try {
            for (String directory : List.of("sandboxes", "trees", "faults", "holds", "bin", "classes")) {
                Files.createDirectories(root.resolve(directory));
            }
            Files.writeString(root.resolve("version"), "0.1.6\n");
            Files.writeString(root.resolve("calls"), "");
            Files.createSymbolicLink(root.resolve("guest"), guest);
            AgentPrograms.standIn(root.resolve("native"));
            copyClasses();
            Path java = Path.of(System.getProperty("java.home"), "bin/java");
            Files.writeString(
                    executable(),
                    QUICK_GET.replace("ROOT", root.toString()) + "exec " + java
                            + " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -cp "
                            + root.resolve("classes") + " " + OpenShellDouble.class.getName() + " " + root
                            + " \"$@\"\n");
            Files.setPosixFilePermissions(executable(), PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void copyClasses() throws IOException {
        for (Class<?> type : CLASSES) {
            String path = type.getName().replace('.', '/') + ".class";
            Path target = root.resolve("classes").resolve(path);
            Files.createDirectories(target.getParent());
            try (var bytes = type.getClassLoader().getResourceAsStream(path)) {
                Files.copy(bytes, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    public Path root() {
        return root;
    }

    /** The command for host.yaml's {@code openshell.executable}. */
    public Path executable() {
        return root.resolve("bin/openshell");
    }

    /**
     * The next {@code verb} shows these: a line each, {@code always:} before one that stays, {@code when=WORD} as the
     * first to wait for a command line with that word.
     */
    public void fault(String verb, String... lines) {
        try {
            Path fresh = Files.writeString(root.resolve("faults").resolve("." + verb), String.join("\n", lines) + "\n");
            fresh.toFile().setReadable(true, false);
            Files.move(fresh, root.resolve("faults").resolve(verb), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a {@code verb} with the fault {@code hold} waits now, or has waited. */
    public boolean held(String verb) {
        return Files.exists(state.held(verb));
    }

    /** Lets what waits go on; it was asked before whatever the test did meanwhile. */
    public void release(String verb) {
        try {
            Files.writeString(state.released(verb), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void noFault(String verb) {
        try {
            Files.deleteIfExists(root.resolve("faults").resolve(verb));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How often the {@code sandbox} verb was asked for. */
    public long calls(String verb) {
        try {
            return Files.readAllLines(root.resolve("calls")).stream()
                    .map(line -> List.of(line.split("\u001f")))
                    .filter(argv -> argv.size() > 5 && argv.get(5).equals(verb))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How often the guest's helper was asked for {@code option}. */
    public long helperCalls(String option) {
        try {
            return Files.readAllLines(root.resolve("calls")).stream()
                    .map(line -> List.of(line.split("\u001f")))
                    .filter(argv -> argv.size() > 5 && argv.get(5).equals("exec") && argv.contains(option))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The tree of a sandbox, for looking from outside. */
    public Path tree(String workspace, String name) {
        try {
            return state.find(workspace, name).tree();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A sandbox that nobody of this server made. @return its id */
    public String foreign(String workspace, String name, String label) {
        try {
            return state.make(workspace, name, label, "image@sha256:" + "a".repeat(64), "provider")
                    .get("id");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The provider loses a sandbox by itself. */
    public void lose(String workspace, String name) {
        try {
            OpenShellState.Sandbox sandbox = state.find(workspace, name);
            sandbox.endProcesses();
            sandbox.remove();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How often it was called, whatever for. */
    public long calls() {
        try {
            return Files.readAllLines(root.resolve("calls")).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends every process of every sandbox. */
    public void end() {
        try {
            for (OpenShellState.Sandbox sandbox : state.sandboxes()) {
                sandbox.endProcesses();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How many sandboxes there are. */
    public int sandboxes() {
        try {
            return state.sandboxes().size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
