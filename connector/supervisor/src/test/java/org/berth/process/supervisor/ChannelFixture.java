package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.berth.environment.ChannelOrder;
import org.berth.environment.ChannelStatus;
import org.berth.process.protocol.Frame;

/** One channel's directory, its order, and helpers that dial it. */
final class ChannelFixture implements AutoCloseable {
    final Path root;
    final Path directory;
    private final String id = Orderly.hex();
    private final List<Process> helpers = new ArrayList<>();

    ChannelFixture(Path root) {
        this.root = root;
        directory = root.resolve("guest");
        makeDirectory(directory);
    }

    static void makeDirectory(Path path) {
        try {
            Files.createDirectories(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    ChannelOrder order() {
        return order(List.of(), List.of());
    }

    ChannelOrder order(List<Integer> relays, List<ChannelOrder.Endpoint> allowed) {
        return new ChannelOrder(
                id,
                directory.toString(),
                relays,
                allowed,
                root.resolve("refusals.log").toString());
    }

    /** Another process that dials, and dials again. */
    Process helper() {
        try {
            Process helper = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            HelperDouble.class.getName(),
                            directory.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            helpers.add(helper);
            return helper;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    void open(TestClient client, ChannelOrder order) {
        assertThat(client.ask(new Frame.OpenChannel(order))).isInstanceOf(Frame.Done.class);
    }

    /** Opens it and has a helper on the line. */
    Process connected(TestClient client) {
        open(client, order());
        Process helper = helper();
        awaitHelper(client, helper);
        return helper;
    }

    void awaitHelper(TestClient client, Process helper) {
        Await.until("the helper is on the line", () -> status(client).helperConnected());
        assertThat(status(client).helperPid()).isEqualTo(helper.pid());
    }

    ChannelStatus status(TestClient client) {
        return ((Frame.ChannelStatusReply) client.ask(new Frame.QueryChannel(id))).status();
    }

    void close(TestClient client) {
        assertThat(client.ask(new Frame.CloseChannel(id))).isInstanceOf(Frame.Done.class);
    }

    /** Sends without waiting. @return the number to await */
    long send(TestClient client, String request, int millis) {
        return client.order(new Frame.CallChannel(id, request.getBytes(StandardCharsets.UTF_8), millis));
    }

    /** The reply's text, or the code of its failure. */
    static String answer(Frame reply) {
        return switch (reply) {
            case Frame.ChannelReply(byte[] bytes) -> new String(bytes, StandardCharsets.UTF_8);
            case Frame.Failed failed -> failed.code();
            default -> throw new AssertionError("another reply: " + reply);
        };
    }

    String call(TestClient client, String request) {
        return answer(client.ask(new Frame.CallChannel(id, request.getBytes(StandardCharsets.UTF_8), 10_000)));
    }

    SocketChannel dial(String name) throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve(name)));
    }

    static void end(Process helper) {
        try {
            helper.destroyForcibly();
            assertThat(helper.waitFor(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        helpers.forEach(ChannelFixture::end);
    }
}
