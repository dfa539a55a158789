package org.berth.preparer.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A real repository with two commits. */
public record TestRepository(Path top) {
    public static TestRepository make(Path top) throws IOException {
        Files.createDirectories(top);
        TestRepository repository = new TestRepository(top.toRealPath());
        repository.git("init", "--quiet", "--initial-branch=main");
        repository.write("src/a.txt", "one\n");
        repository.write("b.txt", "two\n");
        repository.write(".gitignore", "target/\n");
        repository.commit("first");
        repository.write("b.txt", "three\n");
        repository.commit("second");
        return repository;
    }

    public void write(String path, String text) throws IOException {
        write(top, path, text);
    }

    public static void write(Path directory, String path, String text) throws IOException {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    public void commit(String message) {
        commit(top, message);
    }

    public void commit(Path worktree, String message) {
        gitIn(worktree, "add", "-A");
        gitIn(worktree, "commit", "--quiet", "-m", message);
    }

    String head() {
        return git("rev-parse", "HEAD");
    }

    public List<String> branches() {
        return git("for-each-ref", "--format=%(refname:short)", "refs/heads")
                .lines()
                .toList();
    }

    /** Paths of all worktrees but the first. */
    public List<String> worktrees() {
        return git("worktree", "list", "--porcelain")
                .lines()
                .filter(line -> line.startsWith("worktree "))
                .map(line -> line.substring("worktree ".length()))
                .skip(1)
                .toList();
    }

    public String git(String... arguments) {
        return gitIn(top, arguments);
    }

    public String gitIn(Path directory, String... arguments) {
        List<String> argv = new ArrayList<>(List.of("git", "-c", "user.name=T", "-c", "user.email=t@example.org"));
        argv.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(argv).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().putAll(Map.of("LC_ALL", "C"));
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue())
                    .as("git %s: %s", List.of(arguments), output)
                    .isZero();
            return output.strip();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
