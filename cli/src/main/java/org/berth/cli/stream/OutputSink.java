package org.berth.cli.stream;

import java.io.IOException;

/** Takes a command's output, each byte once and in order. Called by one thread. */
public interface OutputSink {
    /**
     * @param data never empty
     * @throws IOException when nobody reads any more; the rest is then discarded
     */
    void output(OutputStreamName stream, long sequence, byte[] data) throws IOException;

    /** Called once, at the first {@link IOException}. */
    void readerGone();
}
