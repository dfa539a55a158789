package org.berth.process.adapter;

import java.io.IOException;
import java.nio.file.Path;

/** A local file, directory or peer that must not be trusted. The message names the path, the problem and the remedy. */
final class LocalAccessException extends IOException {
    private static final long serialVersionUID = 1L;

    LocalAccessException(Path path, String problem, String remedy) {
        super(path + ": " + problem + ". " + remedy);
    }
}
