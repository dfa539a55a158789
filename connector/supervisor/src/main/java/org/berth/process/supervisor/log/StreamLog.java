package org.berth.process.supervisor.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.berth.placement.OutputStreamKind;
import org.berth.placement.OutputTruncation;
import org.berth.process.protocol.LogFiles;

/** The files of one stream. A failed write counts as dropped, and so does what follows it. */
final class StreamLog {
    private final Path directory;
    private final OutputStreamKind stream;
    private final OutputTruncation limits;
    private FileChannel channel;
    private long partOffset;
    private long partSize;
    private long produced;
    private long headLines;
    private boolean full;
    private boolean failed;
    private boolean ended;
    private boolean truncated;
    private long kept = -1;

    StreamLog(Path directory, OutputStreamKind stream, OutputTruncation limits) throws IOException {
        this.directory = directory;
        this.stream = stream;
        this.limits = limits;
        channel = create(LogFiles.part(directory, stream, 0));
    }

    private static FileChannel create(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    void write(byte[] data) throws IOException {
        produced += data.length;
        if (full || failed) {
            return;
        }
        int count = limits.on() && limits.keepHead() ? headRoom(data) : data.length;
        try {
            ByteBuffer bytes = ByteBuffer.wrap(data, 0, count);
            while (bytes.hasRemaining()) {
                partSize += channel.write(bytes);
            }
            if (limits.on() && !limits.keepHead() && partSize >= limits.bytes()) {
                rotate();
            }
        } catch (IOException e) {
            failed = true;
            throw e;
        }
    }

    private int headRoom(byte[] data) {
        int count = 0;
        while (count < data.length && partSize + count < limits.bytes() && headLines < limits.lines()) {
            headLines += data[count++] == '\n' ? 1 : 0;
        }
        full = count < data.length;
        return count;
    }

    private void rotate() throws IOException {
        channel.close();
        long before = partOffset;
        partOffset += partSize;
        partSize = 0;
        channel = create(LogFiles.part(directory, stream, partOffset));
        for (long offset : LogFiles.offsets(directory, stream)) {
            if (offset < before) {
                Files.delete(LogFiles.part(directory, stream, offset));
            }
        }
    }

    void end(boolean cut) {
        ended = true;
        truncated = cut;
    }

    /** Makes the one file that stays. */
    void finish() throws IOException {
        channel.close();
        List<Long> offsets = LogFiles.offsets(directory, stream);
        Path whole = LogFiles.whole(directory, stream);
        if (limits.on() && !limits.keepHead()) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (long offset : offsets) {
                all.writeBytes(Files.readAllBytes(LogFiles.part(directory, stream, offset)));
            }
            byte[] last = LogFiles.cut(all.toByteArray(), limits);
            Path fresh = directory.resolve(LogFiles.name(stream) + ".new");
            try (FileChannel out = create(fresh)) {
                ByteBuffer bytes = ByteBuffer.wrap(last);
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
            }
            Files.move(fresh, whole, StandardCopyOption.ATOMIC_MOVE);
            kept = last.length;
        } else {
            Files.move(LogFiles.part(directory, stream, 0), whole, StandardCopyOption.ATOMIC_MOVE);
            kept = partSize;
        }
    }

    /** Removes the parts, once the summary says that the whole file counts. */
    void clean() throws IOException {
        for (long offset : LogFiles.offsets(directory, stream)) {
            Files.delete(LogFiles.part(directory, stream, offset));
        }
    }

    /** Whether readers need the summary to know how much was produced. */
    boolean dropsUnseen() {
        return full || failed;
    }

    LogFiles.Counts counts() {
        long now = kept >= 0 ? kept : Math.min(produced, partSize);
        return new LogFiles.Counts(produced, now, produced - now, ended, truncated);
    }
}
