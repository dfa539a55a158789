package org.berth.process.supervisor;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.berth.environment.CommandOrder;
import org.berth.placement.Capability;
import org.berth.placement.SpawnOrder;
import org.berth.placement.StopMode;
import org.berth.placement.TerminalSize;
import org.berth.process.protocol.Frame;
import org.berth.process.protocol.FrameCodec;

/**
 * Runs the supervisor and gives it the orders that every attempt needs, so that the build can record what a start
 * loads. Its one argument is a directory for the run. Used by the build only.
 */
final class Training {
    private static final String BUILD = "training0";
    private static final long PATIENCE_MILLIS = 30_000;

    private Training() {}

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]).toAbsolutePath();
        Path socket =
                Files.createTempDirectory("berth-training").resolve("supervisor-" + BUILD.substring(0, 8) + ".sock");
        Thread server = new Thread(() -> give(socket), "orders");
        server.setDaemon(true);
        server.start();
        Files.createDirectories(root);
        Path state = Files.createTempDirectory(root, "state");
        Supervisor.main(new String[] {
            "--socket-dir", socket.getParent().toString(), "--state", state.toString(), "--build", BUILD
        });
    }

    private static void give(Path socket) {
        try {
            awaitSocket(socket);
            try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
                ask(channel, new Frame.Hello(FrameCodec.VERSION, "training"), Frame.Welcome.class);
                ask(channel, new Frame.Subscribe(), Frame.Done.class);
                attempt(channel, "0".repeat(32), null);
                attempt(channel, "1".repeat(32), new TerminalSize(24, 80));
                command(channel);
                ask(channel, new Frame.QueryAll(), Frame.AllReply.class);
                ask(channel, new Frame.Shutdown(true), Frame.Done.class);
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("training failed: " + e);
            Runtime.getRuntime().halt(1);
        }
    }

    private static void awaitSocket(Path socket) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (!Files.exists(socket)) {
            if (System.nanoTime() > deadline) {
                throw new IOException("the supervisor does not listen");
            }
            Thread.onSpinWait();
        }
    }

    private static void attempt(SocketChannel channel, String key, TerminalSize size) throws IOException {
        SpawnOrder order = new SpawnOrder(
                key,
                key,
                "/bin/sh",
                List.of("-c", "echo out; sleep 60"),
                Map.of("PATH", "/usr/bin:/bin"),
                "/",
                size,
                new byte[] {'x', '\n'},
                false,
                Capability.PROCESS_GROUP,
                500,
                500,
                null,
                null,
                1,
                null);
        ask(channel, new Frame.Spawn(order), Frame.SpawnReply.class);
        ask(channel, new Frame.Receive(key, key, 1), Frame.FenceReply.class);
        ask(channel, new Frame.Write(key, key, 1, "2".repeat(32), new byte[] {'y', '\n'}), Frame.InputReply.class);
        ask(channel, new Frame.QueryStatus(key, key, null), Frame.StatusReply.class);
        ask(channel, new Frame.Stop(key, key, StopMode.COOPERATIVE, 1000, null), Frame.StopReply.class);
        ask(channel, new Frame.Fence(key, key, 2), Frame.FenceReply.class);
        ask(channel, new Frame.Recorded(key, 1), null);
    }

    private static void command(SocketChannel channel) throws IOException {
        CommandOrder order = new CommandOrder("/bin/cat", List.of(), Map.of(), "/", new byte[] {'x'}, 5000, 1000);
        ask(channel, new Frame.Run(order), Frame.RunReply.class);
    }

    /** Sends an order and reads until its reply; notices between are read and dropped. */
    private static void ask(SocketChannel channel, Frame.Order order, Class<? extends Frame> reply) throws IOException {
        ByteBuffer bytes = FrameCodec.encode(1, order);
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        ByteBuffer length = ByteBuffer.allocate(4);
        while (reply != null) {
            readFully(channel, length.clear());
            ByteBuffer whole = ByteBuffer.allocate(4 + length.getInt(0)).putInt(length.getInt(0));
            readFully(channel, whole);
            Frame frame = FrameCodec.decode(whole.flip()).frame();
            if (frame instanceof Frame.Failed failed) {
                throw new IOException(failed.sentence());
            }
            if (reply.isInstance(frame)) {
                return;
            }
        }
    }

    private static void readFully(SocketChannel channel, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new IOException("the supervisor ended");
            }
        }
    }
}
