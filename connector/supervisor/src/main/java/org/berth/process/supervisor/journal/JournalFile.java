package org.berth.process.supervisor.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.berth.process.protocol.ProtocolException;
import org.berth.process.protocol.RecordCodec;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Errno;

/**
 * The file of a journal: an 8-byte mark, then records {@code u32 length, u32 crc32c of the payload, payload}. Reading
 * ends at the first record that is not whole; what follows is kept beside it and cut off.
 */
final class JournalFile {
    /** Changes whenever an entry's shape does. */
    private static final byte[] MARK = {'B', 'E', 'R', 'T', 'H', 'J', '0', '1'};

    private static final int HEADER = 8;
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");

    private JournalFile() {}

    static byte[] encode(Entry entry) {
        byte[] payload = RecordCodec.toBytes(new Entry.Line(entry));
        ByteBuffer record = ByteBuffer.allocate(HEADER + payload.length);
        record.putInt(payload.length).putInt(crc(payload)).put(payload);
        return record.array();
    }

    private static int crc(byte[] payload) {
        CRC32C crc = new CRC32C();
        crc.update(payload);
        return (int) crc.getValue();
    }

    /**
     * Reads every whole record into {@code state}.
     *
     * @return bytes that were not whole records and are now in {@code NAME.damaged}; 0 for none
     * @throws IOException when the file is not a journal of this version
     */
    static long replay(Path file, JournalState state) throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length < MARK.length) {
            Files.delete(file);
            return bytes.length;
        }
        if (!Arrays.equals(bytes, 0, MARK.length, MARK, 0, MARK.length)) {
            throw new IOException(file + " is not a journal of this version; move it away to start without it");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).position(MARK.length);
        int good = in.position();
        while (in.remaining() >= HEADER) {
            int length = in.getInt();
            int expected = in.getInt();
            if (length <= 0 || length > in.remaining()) {
                break;
            }
            byte[] payload = new byte[length];
            in.get(payload);
            if (crc(payload) != expected) {
                break;
            }
            try {
                state.apply(RecordCodec.fromBytes(Entry.Line.class, payload).entry());
            } catch (ProtocolException e) {
                break;
            }
            good = in.position();
        }
        if (good < bytes.length) {
            Path damaged = file.resolveSibling(file.getFileName() + ".damaged");
            Files.deleteIfExists(damaged);
            Files.createFile(damaged, PosixFilePermissions.asFileAttribute(PRIVATE));
            Files.write(damaged, Arrays.copyOfRange(bytes, good, bytes.length));
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(good);
                channel.force(true);
            }
        }
        return bytes.length - good;
    }

    /**
     * Replaces the file by one that holds {@code entries}, so that a crash leaves the old one or the new one.
     *
     * @param room bytes to reserve on the disk behind the entries
     * @return the new file's size
     * @throws IOException when there is no such room, and the old file stays
     */
    static long rewrite(Path file, List<Entry> entries, long room) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        long size = MARK.length;
        try (FileChannel channel = FileChannel.open(
                fresh,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PRIVATE))) {
            writeAll(channel, ByteBuffer.wrap(MARK));
            for (Entry entry : entries) {
                byte[] record = encode(entry);
                writeAll(channel, ByteBuffer.wrap(record));
                size += record.length;
            }
            channel.force(true);
        }
        int fd = Descriptors.open(fresh.toString(), Descriptors.O_WRONLY | Descriptors.O_CLOEXEC, 0);
        int result = Descriptors.reserve(fd, 0, size + room);
        Descriptors.close(fd);
        if (result == -Errno.ENOSPC || result == -Errno.EDQUOT) {
            Files.delete(fresh);
            throw new IOException("no space is left for " + fresh);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel directory = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
        return size;
    }

    private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
