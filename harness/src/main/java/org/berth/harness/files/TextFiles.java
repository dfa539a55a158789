package org.berth.harness.files;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.UUID;
import org.berth.harness.tree.Directory;
import org.berth.harness.tree.OpenFile;
import org.berth.harness.tree.Status;

/** Whole files as text, read and replaced at once. */
record TextFiles(int maxBytes) {
    private static final int ANY_NEW_FILE = 0666;

    /** The bytes of the regular file {@code name} of {@code directory}; nothing is opened that could block. */
    byte[] bytes(Directory directory, String name, String shown) throws FsException, IOException {
        Status status = regular(directory, name, shown);
        if (status == null) {
            throw new FsException(FsException.Reason.MISSING, shown + " does not exist");
        }
        try (OpenFile file = directory.file(name);
                Arena arena = Arena.ofConfined()) {
            Status opened = file.status();
            if (!opened.isRegular()) {
                throw new FsException(FsException.Reason.NOT_A_FILE, shown + " is not a file");
            }
            if (opened.size() > maxBytes) {
                throw new FsException(
                        FsException.Reason.TOO_LARGE,
                        shown + " has " + opened.size() + " bytes, more than the " + maxBytes + " that are read");
            }
            // Files of /proc say they are empty; what they hold counts as far as it fits.
            MemorySegment content = arena.allocate(Math.max(opened.size(), 1));
            return content.asSlice(0, Math.min(file.read(content), opened.size()))
                    .toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** The status of a regular file; null when nothing has the name. */
    static Status regular(Directory directory, String name, String shown) throws FsException, IOException {
        Status status = directory.status(name);
        if (status != null && !status.isRegular()) {
            throw new FsException(
                    FsException.Reason.NOT_A_FILE,
                    shown + (status.isDirectory() ? " is a directory" : " is a special file"));
        }
        return status;
    }

    String text(Directory directory, String name, String shown) throws FsException, IOException {
        return decode(bytes(directory, name, shown), shown);
    }

    static String decode(byte[] bytes, String shown) throws FsException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new FsException(FsException.Reason.NOT_UTF8, shown + " is not UTF-8 text");
        }
    }

    byte[] encode(String text, String shown) throws FsException {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            if (bytes.remaining() > maxBytes) {
                throw new FsException(
                        FsException.Reason.TOO_LARGE,
                        "the text for " + shown + " has more than the " + maxBytes + " bytes that are written");
            }
            byte[] result = new byte[bytes.remaining()];
            bytes.get(result);
            return result;
        } catch (CharacterCodingException e) {
            throw FsException.invalid("the text for " + shown + " has half of a character");
        }
    }

    /**
     * Puts a file of these bytes at {@code name} in one rename. An existing file's mode stays; a new one has that of
     * {@code like}, or what {@code umask} leaves where that is null.
     *
     * @param umask empty for that of this process
     */
    static void replace(Directory directory, String name, byte[] bytes, Status like, OptionalInt umask)
            throws IOException {
        String temporary = ".berth-" + UUID.randomUUID();
        boolean renamed = false;
        try (OpenFile file = directory.create(temporary, ANY_NEW_FILE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment content = arena.allocate(Math.max(1, bytes.length));
            MemorySegment.copy(bytes, 0, content, ValueLayout.JAVA_BYTE, 0, bytes.length);
            file.write(content, bytes.length);
            if (like != null) {
                file.mode(like.permissions());
            } else if (umask.isPresent()) {
                file.mode(ANY_NEW_FILE & ~umask.getAsInt());
            }
            directory.rename(temporary, name);
            renamed = true;
        } finally {
            if (!renamed) {
                directory.remove(temporary);
            }
        }
    }
}
