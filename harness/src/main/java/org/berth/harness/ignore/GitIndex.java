package org.berth.harness.ignore;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.berth.harness.tree.Names;

/**
 * What git tracks, from its index. JGit's reader measures the disk's clock by files that it writes beside the index, and
 * keeps what it found in the user's home; this one only reads. Source: gitformat-index(5).
 *
 * @param files paths of tracked files and links
 * @param directories every directory above one of them
 * @param repositories paths where another repository is tracked
 */
record GitIndex(Set<String> files, Set<String> directories, Set<String> repositories) {
    private static final int SIGNATURE = 0x44495243;
    private static final int FIXED_BYTES = 40;
    private static final int MODE_AT = 24;
    private static final int EXTENDED = 0x4000;
    private static final int LINK_EXTENSION = 0x6c696e6b;
    private static final int KIND = 0170000;
    private static final int KIND_REPOSITORY = 0160000;
    private static final int KIND_DIRECTORY = 0040000;
    private static final int ALIGNMENT = 8;
    private static final int PREFIX_COMPRESSED = 4;

    /** The entries below {@code prefix}, with paths from there; none when there is no index yet. */
    static GitIndex read(Path index, int hashBytes, String prefix) throws IOException {
        GitIndex found = new GitIndex(new HashSet<>(), new HashSet<>(), new HashSet<>());
        try {
            found.parse(ByteBuffer.wrap(Files.readAllBytes(index)), hashBytes, prefix.isEmpty() ? "" : prefix + "/");
        } catch (NoSuchFileException e) {
            return found;
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new IOException("git's index " + index + " cannot be read: it is cut or not an index", e);
        } catch (UnsupportedOperationException e) {
            throw new IOException("git's index " + index + " cannot be read: " + e.getMessage(), e);
        }
        return found;
    }

    private void parse(ByteBuffer in, int hashBytes, String prefix) {
        if (in.getInt() != SIGNATURE) {
            throw new IllegalArgumentException("signature");
        }
        int version = in.getInt();
        if (version < 2 || version > PREFIX_COMPRESSED) {
            throw new UnsupportedOperationException("its version is " + version);
        }
        int count = in.getInt();
        byte[] name = new byte[0];
        for (int i = 0; i < count; i++) {
            int start = in.position();
            int mode = in.getInt(start + MODE_AT);
            in.position(start + FIXED_BYTES + hashBytes);
            int flags = in.getShort();
            if ((flags & EXTENDED) != 0) {
                in.getShort();
            }
            if (version == PREFIX_COMPRESSED) {
                int kept = name.length - offset(in);
                name = append(Arrays.copyOf(name, kept), text(in));
            } else {
                name = text(in);
                in.position(start + (in.position() - 1 - start + ALIGNMENT) / ALIGNMENT * ALIGNMENT);
            }
            add(Names.decode(name, 0, name.length), mode, prefix);
        }
        refuseSplit(in, hashBytes);
    }

    private static void refuseSplit(ByteBuffer in, int hashBytes) {
        while (in.remaining() > hashBytes + 2 * Integer.BYTES) {
            if (in.getInt() == LINK_EXTENSION) {
                throw new UnsupportedOperationException("it is split; run: git update-index --no-split-index");
            }
            in.position(in.getInt() + in.position());
        }
    }

    private static byte[] text(ByteBuffer in) {
        int start = in.position();
        while (in.get() != 0) {}
        byte[] bytes = new byte[in.position() - 1 - start];
        in.get(start, bytes);
        return bytes;
    }

    private static byte[] append(byte[] head, byte[] tail) {
        byte[] all = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, all, head.length, tail.length);
        return all;
    }

    /** The offset encoding of git's packs. */
    private static int offset(ByteBuffer in) {
        int next = in.get();
        int value = next & 0x7f;
        while ((next & 0x80) != 0) {
            next = in.get();
            value = (value + 1 << 7) + (next & 0x7f);
        }
        return value;
    }

    private void add(String path, int mode, String prefix) {
        if (!path.startsWith(prefix)) {
            return;
        }
        String own = path.substring(prefix.length());
        switch (mode & KIND) {
            case KIND_DIRECTORY -> {
                // A sparse index names directories that are not checked out.
                return;
            }
            case KIND_REPOSITORY -> repositories.add(own);
            default -> files.add(own);
        }
        for (int slash = own.lastIndexOf('/'); slash > 0; slash = own.lastIndexOf('/', slash - 1)) {
            if (!directories.add(own.substring(0, slash))) {
                return;
            }
        }
    }

    /** An index without entries. */
    static GitIndex none() {
        return new GitIndex(Set.of(), Set.of(), Set.of());
    }
}
