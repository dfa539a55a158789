package org.berth.harness.transport;

import java.nio.file.Path;

/** Where a path of the sandbox leads on the host. */
public sealed interface Located {
    /**
     * In a shared directory.
     *
     * @param host absolute, with every link resolved; its end need not exist
     * @param sandbox the same place as the sandbox names it
     */
    record Inside(Path host, String sandbox) implements Located {}

    /**
     * In no shared directory.
     *
     * @param path as the sandbox gave it
     * @param why one clause for people
     */
    record Outside(String path, String why) implements Located {}
}
