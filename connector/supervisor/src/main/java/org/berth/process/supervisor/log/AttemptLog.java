package org.berth.process.supervisor.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.berth.placement.OutputStreamKind;
import org.berth.placement.SpawnOrder;
import org.berth.process.protocol.LogFiles;
import org.berth.process.supervisor.loop.Worker;
import org.berth.process.supervisor.run.LogSink;
import org.berth.process.supervisor.run.Spool;

/** One attempt's log. Called on the loop, works on the log writer's thread. */
public final class AttemptLog implements LogSink {
    /** Nanoseconds between two summaries while output is dropped. */
    private static final long SUMMARY_EVERY = 500_000_000L;

    private final Worker writer;
    private final Consumer<Runnable> loop;
    private final Consumer<String> report;
    private final SpawnOrder.Log order;
    private final Path directory;
    private final Map<OutputStreamKind, StreamLog> streams = new EnumMap<>(OutputStreamKind.class);
    private boolean reported;
    private long summarised;

    public AttemptLog(
            Worker writer, Consumer<Runnable> loop, Consumer<String> report, SpawnOrder.Log order, boolean terminal) {
        this.writer = writer;
        this.loop = loop;
        this.report = report;
        this.order = order;
        this.directory = Path.of(order.directory());
        List<OutputStreamKind> kinds =
                terminal ? List.of(OutputStreamKind.TTY) : List.of(OutputStreamKind.STDOUT, OutputStreamKind.STDERR);
        writer.execute(() -> guarded(() -> open(kinds)));
    }

    private interface Step {
        void run() throws IOException;
    }

    private void guarded(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            if (!reported) {
                reported = true;
                report.accept("the log in " + directory + " is incomplete: " + e);
            }
        }
    }

    private void open(List<OutputStreamKind> kinds) throws IOException {
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
        }
        for (OutputStreamKind kind : kinds) {
            streams.put(kind, new StreamLog(directory, kind, order.truncation()));
        }
        summarise(false);
    }

    @Override
    public void take(Spool.Chunk chunk, Runnable written) {
        byte[] data = chunk.data();
        writer.execute(() -> {
            StreamLog stream = streams.get(chunk.stream());
            if (stream != null) {
                guarded(() -> write(stream, chunk, data));
            }
            loop.accept(written);
        });
    }

    private void write(StreamLog stream, Spool.Chunk chunk, byte[] data) throws IOException {
        if (chunk.eof()) {
            stream.end(chunk.truncated());
        } else {
            stream.write(data);
        }
        if (stream.dropsUnseen() && System.nanoTime() - summarised > SUMMARY_EVERY) {
            summarise(false);
        }
    }

    @Override
    public void finish() {
        writer.execute(() -> guarded(() -> {
            for (StreamLog stream : streams.values()) {
                stream.finish();
            }
            summarise(true);
            for (StreamLog stream : streams.values()) {
                stream.clean();
            }
        }));
    }

    private void summarise(boolean complete) throws IOException {
        Map<OutputStreamKind, LogFiles.Counts> counts = new EnumMap<>(OutputStreamKind.class);
        streams.forEach((kind, stream) -> counts.put(kind, stream.counts()));
        byte[] json = LogFiles.format(new LogFiles.Summary(order.truncation(), complete, counts))
                .getBytes(StandardCharsets.UTF_8);
        Path fresh = directory.resolve(LogFiles.SUMMARY + ".new");
        Files.deleteIfExists(fresh);
        try (var out = Files.newByteChannel(
                fresh,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            out.write(ByteBuffer.wrap(json));
        }
        Files.move(fresh, directory.resolve(LogFiles.SUMMARY), StandardCopyOption.ATOMIC_MOVE);
        summarised = System.nanoTime();
    }
}
