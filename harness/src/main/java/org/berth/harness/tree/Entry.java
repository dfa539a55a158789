package org.berth.harness.tree;

/**
 * One name in a directory.
 *
 * @param kind as the directory tells it, without a look at the file
 */
public record Entry(String name, Kind kind) {
    /** What a name stands for. */
    public enum Kind {
        FILE,
        LINK,
        DIRECTORY,
        /** A pipe, socket or device: never opened. */
        SPECIAL,
        /** The file system does not tell; a status does. */
        UNKNOWN
    }

    /** Source: dirent.h, d_type. */
    static Kind kind(int type) {
        return switch (type) {
            case 8 -> Kind.FILE;
            case 10 -> Kind.LINK;
            case 4 -> Kind.DIRECTORY;
            case 0 -> Kind.UNKNOWN;
            default -> Kind.SPECIAL;
        };
    }

    static Kind kind(Status status) {
        if (status.isRegular()) {
            return Kind.FILE;
        }
        if (status.isLink()) {
            return Kind.LINK;
        }
        return status.isDirectory() ? Kind.DIRECTORY : Kind.SPECIAL;
    }
}
