package org.berth.acceptance.placement;

import static org.berth.acceptance.LaunchRequests.aLaunch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.berth.acceptance.Api;
import org.berth.acceptance.BerthServer;
import org.berth.acceptance.StreamClient;
import org.berth.acceptance.podman.PodmanEngine;
import org.junit.jupiter.api.Test;

/**
 * Prints what a launch in a container takes, from prepare until its program printed, beside create and start of the same by
 * Podman's command line, in turn. Run by name: {@code -Dit.test=ContainerStartMeasure}.
 */
class ContainerStartMeasure {
    /** A server's code is slow until it was used; the benchmark takes thousands. */
    private static final int WARM_UP = 100;

    private static final int ROUNDS = 21;
    private static final List<String> PROGRAM = List.of("/bin/sh", "-c", "echo up; sleep 60");

    private interface Step {
        void run() throws Exception;
    }

    @Test
    void of_a_launch_and_of_the_command_line_in_turn() throws Exception {
        try (BerthServer server = BerthServer.create("container-start")) {
            server.start();
            try (PodmanEngine engine = PodmanEngine.start(server)) {
                Path own = engine.socket().getParent();
                Files.writeString(
                        server.home().resolve("host.yaml"), """
                        placement: podman
                        container:
                          socket: %s
                          image: "%s"
                          environment: { HOME: "%s/home", XDG_RUNTIME_DIR: "%s/run" }
                        policies:
                          default: { driver: command }
                        """.formatted(engine.socket(), engine.image(), own, own));
                Api api = server.api();
                api.post("/api/placement/host/reload", Map.of()).expect(200);
                measure(api, CommandLine.of(own, server.user()), engine.image());
            }
        }
    }

    private static void measure(Api api, CommandLine podman, String image) throws Exception {
        List<Double> ours = new ArrayList<>();
        List<Double> plain = new ArrayList<>();
        for (int round = 0; round < WARM_UP + ROUNDS; round++) {
            String[] id = new String[1];
            double launch = millis(() -> {
                id[0] = api.prepared(aLaunch()
                        .of(PROGRAM.getFirst(), PROGRAM.get(1), PROGRAM.getLast())
                        .cleanup("contained_tree"));
                try (StreamClient stream = StreamClient.attach(api, id[0])) {
                    api.start(id[0]).expect(200);
                    stream.awaitText(StreamClient.STDOUT, "up");
                }
            });
            api.stop(id[0], "forced").expect(200);
            api.awaitExit(id[0]);
            api.cleanUp(id[0]).expect(200);
            if (round >= WARM_UP) {
                ours.add(launch);
                plain.add(podman.started("plain-" + round, image));
            }
        }
        System.out.printf(
                Locale.ROOT,
                "prepare to first output in a container %.0f ms, podman create and start --attach %.0f ms, %.2fx%n",
                median(ours),
                median(plain),
                median(ours) / median(plain));
    }

    /** Podman's own command as the server's user, without a shell around it. */
    private record CommandLine(Path directory, List<String> as) {
        static CommandLine of(Path directory, int uid) throws IOException, InterruptedException {
            boolean own = number(List.of("id", "-u")) == uid;
            int gid = number(List.of("id", "-g", Integer.toString(uid)));
            return new CommandLine(
                    directory,
                    own ? List.of() : List.of("setpriv", "--reuid=" + uid, "--regid=" + gid, "--clear-groups", "--"));
        }

        double started(String name, String image) throws Exception {
            // What a launch's container is, as this host's settings have it by default.
            List<String> create = new ArrayList<>(List.of("create", "--name", name, "--pull", "never", "--read-only"));
            create.addAll(List.of("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--restart", "no"));
            create.addAll(List.of("--stop-signal", "TERM", "--log-driver", "none", "--network", "none"));
            create.addAll(List.of("--memory", "2g", "--cpus", "2", "--pids-limit", "512", "--http-proxy=false"));
            create.addAll(List.of("--tmpfs", "/tmp:rw,nosuid,nodev,mode=1777,size=256m", "--image-volume", "ignore"));
            create.addAll(List.of("--userns", "keep-id", "--umask", "0077", "--env", "HOME=/tmp"));
            create.addAll(List.of("--mount", "type=bind,source=" + directory + "/home/tmp,destination=/home"));
            create.add(image);
            create.addAll(PROGRAM);
            Process[] attached = new Process[1];
            double took = millis(() -> {
                require(start(create.toArray(String[]::new)));
                attached[0] = start("start", "--attach", name);
                if (attached[0].getInputStream().read() < 0) {
                    throw new IOException("the container printed nothing");
                }
            });
            require(start("rm", "--force", "--time", "0", name));
            attached[0].waitFor();
            return took;
        }

        private Process start(String... arguments) throws IOException {
            List<String> command = new ArrayList<>(as);
            command.addAll(List.of(
                    "env",
                    "-i",
                    "HOME=" + directory + "/home",
                    "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
                    "XDG_RUNTIME_DIR=" + directory + "/run",
                    "podman"));
            command.addAll(List.of(arguments));
            return new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        }

        private static int number(List<String> command) throws IOException, InterruptedException {
            Process process = new ProcessBuilder(command).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            process.waitFor();
            return Integer.parseInt(said.strip());
        }

        private static void require(Process process) throws IOException, InterruptedException {
            process.getInputStream().readAllBytes();
            if (process.waitFor() != 0) {
                throw new IOException("podman ended with " + process.exitValue());
            }
        }
    }

    private static double millis(Step step) throws Exception {
        long start = System.nanoTime();
        step.run();
        return (System.nanoTime() - start) / 1e6;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }
}
