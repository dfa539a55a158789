package org.berth.process.egress;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Refusals as JSON lines in a private file. When the file would pass its bound, its older half goes. A full disk loses
 * lines, never the count. Safe for any thread.
 */
public final class RefusalFile implements Consumer<Refusal>, AutoCloseable {
    /** Default bound of the file: {@value} bytes. Source: environments.md, ChannelOrder. */
    public static final int MAX_BYTES = 1_048_576;

    private final FileChannel file;
    private final int maxBytes;
    private final AtomicLong count = new AtomicLong();

    /** Opens or makes {@code path}; a link is refused. */
    public RefusalFile(Path path) throws IOException {
        this(path, MAX_BYTES);
    }

    RefusalFile(Path path, int maxBytes) throws IOException {
        this.maxBytes = maxBytes;
        this.file = FileChannel.open(
                path,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    /** Refusals since this object was made. */
    public long count() {
        return count.get();
    }

    @Override
    public void accept(Refusal refusal) {
        count.incrementAndGet();
        byte[] line = (refusal.toJson() + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            append(line);
        } catch (IOException e) {
            System.err.println("a refusal could not be logged: " + e.getMessage());
        }
    }

    private synchronized void append(byte[] line) throws IOException {
        long size = file.size();
        if (size + line.length > maxBytes) {
            size = dropOlderHalf(size);
        }
        writeAt(size, line, 0, line.length);
    }

    private long dropOlderHalf(long size) throws IOException {
        ByteBuffer kept = ByteBuffer.allocate((int) Math.min(size, maxBytes / 2));
        long from = size - kept.capacity();
        while (kept.hasRemaining() && file.read(kept, from + kept.position()) > 0) {}
        byte[] bytes = kept.array();
        int start = 0;
        while (start < kept.position() && bytes[start++] != '\n') {}
        file.truncate(0);
        writeAt(0, bytes, start, kept.position() - start);
        return kept.position() - start;
    }

    private void writeAt(long position, byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
        while (buffer.hasRemaining()) {
            position += file.write(buffer, position);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
