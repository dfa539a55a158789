package org.berth.process.supervisor.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.berth.environment.ChannelOrder;
import org.berth.process.protocol.ProtocolException;
import org.berth.process.protocol.RecordCodec;

/** One private file for each open channel, durable when a call returns. Used by one thread. */
final class ChannelStore {
    /** A channel's id, and its file's name. */
    static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

    private static final String PART = ".part";

    /** Bytes of one file at most. Source: an own choice, far over the largest order of a policy. */
    private static final int MOST_BYTES = 4 * 1024 * 1024;

    private static final int CHECK_BYTES = Integer.BYTES;

    private final Path directory;
    private final Consumer<String> log;
    private final Map<String, StoredChannel> stored = new HashMap<>();

    /** @param directory made with mode 0700 at the first write */
    ChannelStore(Path directory, Consumer<String> log) {
        this.directory = directory;
        this.log = log;
    }

    /** Every whole file; what is not whole is told to the log and left where it is. */
    List<StoredChannel> load() throws IOException {
        List<StoredChannel> all = new ArrayList<>();
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return all;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (name.endsWith(PART)) {
                    Files.delete(file);
                } else if (ID.matcher(name).matches()) {
                    try {
                        StoredChannel channel = read(file);
                        stored.put(name, channel);
                        all.add(channel);
                    } catch (IOException | ProtocolException e) {
                        log.accept("the channel file " + file + " cannot be read: " + e.getMessage());
                    }
                }
            }
        }
        return all;
    }

    private static StoredChannel read(Path file) throws IOException {
        byte[] bytes;
        try (FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            ByteBuffer content = ByteBuffer.allocate((int) Math.min(channel.size(), MOST_BYTES));
            while (content.hasRemaining() && channel.read(content) >= 0) {
                // Until the size that it had when it was opened.
            }
            bytes = Arrays.copyOf(content.array(), content.position());
        }
        if (bytes.length < CHECK_BYTES) {
            throw new IOException("it is too short");
        }
        byte[] content = Arrays.copyOfRange(bytes, CHECK_BYTES, bytes.length);
        if (ByteBuffer.wrap(bytes).getInt() != check(content)) {
            throw new IOException("its check number is wrong");
        }
        return RecordCodec.fromBytes(StoredChannel.class, content);
    }

    private static int check(byte[] content) {
        CRC32C check = new CRC32C();
        check.update(content);
        return (int) check.getValue();
    }

    /** Stores a new order; who was on the line is kept. */
    void put(ChannelOrder order) throws IOException {
        StoredChannel before = stored.get(order.channelId());
        put(new StoredChannel(order, before == null ? null : before.helper()));
    }

    /** @throws IOException also when the channel is closed */
    void put(String channelId, StoredChannel.Helper helper) throws IOException {
        StoredChannel before = stored.get(channelId);
        if (before == null) {
            throw new IOException("the channel is closed");
        }
        put(new StoredChannel(before.order(), helper));
    }

    /** Replaces the channel's file in one step. */
    private void put(StoredChannel channel) throws IOException {
        byte[] content = RecordCodec.toBytes(channel);
        if (content.length > MOST_BYTES - CHECK_BYTES) {
            throw new IOException("a channel's order is too large");
        }
        ByteBuffer bytes = ByteBuffer.allocate(CHECK_BYTES + content.length);
        bytes.putInt(check(content)).put(content).flip();
        makeDirectory();
        Path part = directory.resolve(channel.order().channelId() + PART);
        Files.deleteIfExists(part);
        try (FileChannel file = FileChannel.open(
                part,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(true);
        }
        Files.move(part, directory.resolve(channel.order().channelId()), StandardCopyOption.ATOMIC_MOVE);
        sync(directory);
        stored.put(channel.order().channelId(), channel);
    }

    private void makeDirectory() throws IOException {
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            sync(directory.getParent());
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException(directory + " is not a directory; remove it", e);
            }
        }
    }

    /** A file that is not there is already removed. */
    void remove(String channelId) throws IOException {
        stored.remove(channelId);
        try {
            Files.delete(directory.resolve(channelId));
            sync(directory);
        } catch (NoSuchFileException e) {
            // Nothing is left to do.
        }
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
