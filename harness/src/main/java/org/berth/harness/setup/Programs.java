package org.berth.harness.setup;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Runs programs of this host. */
public interface Programs {
    /**
     * How a program ended.
     *
     * @param exitCode 0 for success
     * @param output the end of what it wrote, stdout and stderr in one
     */
    record Ended(int exitCode, String output) {
        public boolean good() {
            return exitCode == 0;
        }
    }

    /**
     * Runs one to its end.
     *
     * @param bound after which it is killed
     * @throws IOException when it does not start, or does not end in time
     */
    Ended run(List<String> argv, Duration bound) throws IOException;
}
