package org.berth.process.supervisor.run;

/** Keeps an attempt's output on the disk, on a thread of its own. */
public interface LogSink {
    /** Takes a chunk; {@code written} runs on the loop once it is in the file. */
    void take(Spool.Chunk chunk, Runnable written);

    /** No chunk follows. */
    void finish();
}
