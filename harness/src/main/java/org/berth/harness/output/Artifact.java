package org.berth.harness.output;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A new file with mode 0600 in a real directory: neither the directory nor the name may be a link. */
final class Artifact {
    private final SeekableByteChannel channel;

    private Artifact(SeekableByteChannel channel) {
        this.channel = channel;
    }

    /** @throws IOException also when the name is taken, or the directory is a link */
    static Artifact create(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        try (DirectoryStream<Path> above = Files.newDirectoryStream(directory.getParent())) {
            if (!(above instanceof SecureDirectoryStream<Path> secure)) {
                throw new IOException("this file system has no descriptor-relative access");
            }
            try (SecureDirectoryStream<Path> within =
                    secure.newDirectoryStream(directory.getFileName(), LinkOption.NOFOLLOW_LINKS)) {
                return new Artifact(within.newByteChannel(
                        file.getFileName(),
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
            }
        }
    }

    void write(byte[] bytes, int from, int to) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes, from, to - from);
        while (left.hasRemaining()) {
            channel.write(left);
        }
    }

    void close() throws IOException {
        channel.close();
    }
}
