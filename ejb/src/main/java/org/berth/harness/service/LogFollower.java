package org.berth.harness.service;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.berth.placement.OutputStreamKind;
import org.berth.process.protocol.LogFiles;

/**
 * Reads an attempt's unbounded log as it grows, in bounded pieces. The file keeps its bytes when the supervisor gives it its
 * last name. Used by one thread at a time.
 */
final class LogFollower implements AutoCloseable {
    private static final int PIECE = 64 * 1024;

    private final Path directory;
    private FileChannel channel;

    LogFollower(Path directory) {
        this.directory = directory;
    }

    /** Takes a piece of what was read. */
    interface Taker {
        void take(byte[] bytes, int from, int to);
    }

    /** Gives everything that is there by now, and was not given before. */
    void read(Taker taker) throws IOException {
        if (channel == null && !open()) {
            return;
        }
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        while (channel.read(piece) > 0) {
            taker.take(piece.array(), 0, piece.position());
            piece.clear();
        }
    }

    private boolean open() throws IOException {
        for (Path file : Set.of(
                LogFiles.part(directory, OutputStreamKind.STDOUT, 0),
                LogFiles.whole(directory, OutputStreamKind.STDOUT))) {
            try {
                channel = FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
                return true;
            } catch (NoSuchFileException e) {
                // It has its other name, or is not there yet.
                continue;
            }
        }
        return false;
    }

    /** Whether nothing more comes. */
    boolean complete() throws IOException {
        try {
            return LogFiles.summary(directory).complete();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
