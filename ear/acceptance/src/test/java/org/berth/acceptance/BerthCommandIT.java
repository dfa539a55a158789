package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.berth.acceptance.BerthCommand.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program {@code bin/berth} as a person runs it: the first start, the end, exit codes, and a machine without a JDK. */
class BerthCommandIT {
    /** What {@code bin/berth} needs of the path before it has found a JDK. */
    private static final List<String> TOOLS = List.of("bash", "cat", "dirname", "readlink", "locale");

    @Test
    void upStartsShowsASampleWithItsEvidenceAndSaysWhereEverythingIs() {
        try (BerthServer server = BerthServer.create("up")) {
            BerthCommand berth = new BerthCommand(server);
            Outcome up = berth.run("up");
            try {
                assertThat(up.code()).as(up.err()).isZero();
                assertThat(up.out())
                        .contains("Hello from Berth, process ", "home.created", "child.started", "cleanup.complete")
                        .contains("Berth is up at " + server.url())
                        .contains("http://127.0.0.1:" + server.managementPort() + "/console")
                        .contains(
                                server.home().resolve("management.credentials").toString());
                long pid = (Long) Json.object(BerthServer.read(server.home().resolve("server.json")))
                        .get("pid");
                assertThat(Proc.lives(pid)).isTrue();

                Outcome again = berth.run("up");
                assertThat(again.code()).as(again.err()).isZero();
                assertThat(again.out()).startsWith("Berth runs already at " + server.url() + ", process " + pid + ",");
                assertThat(again.out()).doesNotContain("Hello from Berth");

                Outcome down = berth.run("down", "--all", "--yes");
                assertThat(down.code()).as(down.err()).isZero();
                assertThat(Proc.lives(pid)).isFalse();
                Await.until("the supervisor is gone", () -> server.supervisors().isEmpty());
            } finally {
                berth.run("down");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"exit 7, 7", "kill -TERM $$, 143", "kill -KILL $$, 137"})
    void runEndsAsItsCommandEnds(String script, int code) {
        Outcome run = new BerthCommand(BerthServer.shared()).run("run", "--", "sh", "-c", "echo said; " + script);

        assertThat(run.out()).isEqualTo("said\n");
        assertThat(run.code()).as(run.err()).isEqualTo(code);
    }

    @Test
    void withoutAJdkOfItsReleaseItSaysWhereItLookedAndWhatToInstall() throws Exception {
        BerthCommand berth = new BerthCommand(BerthServer.shared());
        Path folder = berth.directory().resolve("folder");
        Path old = jdk(folder.resolve("old"), "21.0.4");
        berth.environment("PATH", tools(berth).toString())
                .environment("JAVA_HOME", old.toString())
                .environment("BERTH_JDK_FOLDERS", folder.toString());
        BerthServer.shared().give(berth.directory());

        Outcome refused = berth.run("whoami");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err())
                .contains("berth: no JDK 25 found")
                .contains("JAVA_HOME (" + old + ")", "the java on PATH (none)", folder.toString())
                .contains("temurin-25-jdk");
        assertThat(berth.environment("JAVA_HOME", null).run("whoami").err()).contains("JAVA_HOME (not set)");

        Files.createSymbolicLink(folder.resolve("right"), Path.of(System.getProperty("java.home")));
        Outcome found = berth.run("whoami");
        assertThat(found.code()).as(found.err()).isZero();
        assertThat(found.out()).contains("owner");
    }

    /** A folder that looks like a JDK of {@code version}. */
    private static Path jdk(Path home, String version) throws IOException {
        Files.createDirectories(home.resolve("bin"));
        for (String program : List.of("java", "javac")) {
            Path file = Files.writeString(home.resolve("bin").resolve(program), "#!/bin/sh\nexit 1\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    /** A folder with nothing but the tools. */
    private static Path tools(BerthCommand berth) throws IOException {
        Path folder = Files.createDirectory(berth.directory().resolve("tools"));
        for (String tool : TOOLS) {
            Path found = Stream.of(System.getenv("PATH").split(":"))
                    .map(each -> Path.of(each, tool))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(tool + " is not on PATH"));
            Files.createSymbolicLink(folder.resolve(tool), found);
        }
        return folder;
    }
}
