package org.berth.harness.workspace;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.files.PrivateFiles;
import org.berth.harness.tree.Names;

/**
 * What a workspace was made of. Its file is written last, so that a workspace without one is incomplete.
 *
 * @param parent the parent's directory, physical
 * @param settledNanos the file system's time when all was copied
 * @param bootId the machine's run in which it was copied; copied bytes are not waited for, and may not outlive it
 */
record Manifest(Path parent, long settledNanos, String bootId, List<Folder> folders) {
    private static final int MAGIC = 0x42775331;

    /** The copied files of one directory. {@code path} is empty for the top. */
    record Folder(String path, List<File> files) {}

    /**
     * One copied file or link.
     *
     * @param packedAt where its bytes, or a link's target, are in the pack; {@link #NOT_PACKED} for a file of its own
     */
    record File(String name, Print print, long packedAt) {
        static final long NOT_PACKED = -1;

        boolean isPacked() {
            return packedAt != NOT_PACKED;
        }
    }

    /** This run of the machine. Source: random(4). */
    static String currentBoot() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    }

    int files() {
        return folders.stream().mapToInt(folder -> folder.files().size()).sum();
    }

    void write(Path file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        text(out, parent.toString());
        out.writeLong(settledNanos);
        text(out, bootId);
        out.writeInt(folders.size());
        for (Folder folder : folders) {
            text(out, folder.path());
            out.writeInt(folder.files().size());
            for (File entry : folder.files()) {
                text(out, entry.name());
                entry.print().write(out);
                out.writeLong(entry.packedAt());
            }
        }
        out.flush();
        PrivateFiles.write(file, bytes.toByteArray());
    }

    static Manifest read(Path file) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(file)));
        if (in.readInt() != MAGIC) {
            throw new IOException(file + " is not a workspace's manifest");
        }
        Path parent = Path.of(text(in));
        long settled = in.readLong();
        String bootId = text(in);
        int count = in.readInt();
        List<Folder> folders = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String path = text(in);
            int files = in.readInt();
            List<File> entries = new ArrayList<>(files);
            for (int j = 0; j < files; j++) {
                entries.add(new File(text(in), Print.read(in), in.readLong()));
            }
            folders.add(new Folder(path, entries));
        }
        return new Manifest(parent, settled, bootId, folders);
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = Names.encode(text);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        byte[] bytes = in.readNBytes(in.readInt());
        return Names.decode(bytes, 0, bytes.length);
    }
}
