package org.berth.harness.workspace;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.berth.harness.tree.Status;

/**
 * What told a copied file apart when it was copied.
 *
 * @param changedNanos no program can set it, so that a change of the same size with its old time stamps shows
 */
record Print(int mode, long size, long modifiedNanos, long changedNanos, long inode) {
    static Print of(Status status) {
        return new Print(status.mode(), status.size(), status.modifiedNanos(), status.changedNanos(), status.inode());
    }

    /**
     * Whether {@code status} is surely that of the untouched file. A file that was made in the clock's last tick before
     * the copy ended could have been changed in the same tick: of that one it does not say so.
     *
     * @param settledNanos the file system's time when the copy ended
     */
    boolean proves(Status status, long settledNanos) {
        return changedNanos < settledNanos && equals(of(status));
    }

    boolean isLink() {
        return status().isLink();
    }

    boolean isExecutable() {
        return status().isExecutable();
    }

    private Status status() {
        return new Status(mode, size, modifiedNanos, changedNanos, 0, inode);
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(mode);
        out.writeLong(size);
        out.writeLong(modifiedNanos);
        out.writeLong(changedNanos);
        out.writeLong(inode);
    }

    static Print read(DataInput in) throws IOException {
        return new Print(in.readInt(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
    }
}
