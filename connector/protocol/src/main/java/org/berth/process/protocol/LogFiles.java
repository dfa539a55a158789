package org.berth.process.protocol;

import java.io.IOException;
import java.nio.file.Path;
import org.berth.placement.OutputStreamKind;

public final class LogFiles {
    private LogFiles() {}

    public record Kept(byte[] bytes, long produced, long kept, long dropped) {}

    public static Kept read(Path directory, OutputStreamKind stream) throws IOException {
        throw new IOException("no log in " + directory + " of " + stream);
    }
}
