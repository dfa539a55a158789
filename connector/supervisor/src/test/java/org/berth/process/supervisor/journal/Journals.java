package org.berth.process.supervisor.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Journals as an earlier supervisor left them. */
public final class Journals {
    private Journals() {}

    public static void write(Path file, Entry... entries) throws IOException {
        JournalFile.rewrite(file, List.of(entries), 0);
    }
}
