package org.berth.process.supervisor.run;

import java.lang.foreign.MemorySegment;
import java.time.Clock;
import java.util.function.Consumer;
import org.berth.placement.ProcessEvent;
import org.berth.process.supervisor.Limits;
import org.berth.process.supervisor.journal.Journal;
import org.berth.process.supervisor.loop.EventLoop;
import org.berth.process.supervisor.loop.Worker;
import org.berth.process.supervisor.spawn.Launcher;

/**
 * What every runner uses.
 *
 * @param spawner the thread whose children ours are
 * @param observer the thread that looks at /proc
 * @param launcher for the spawner's thread only
 * @param scratch one buffer for reads and writes on the loop
 * @param publisher takes journalled events to the subscribed connections
 */
public record Services(
        EventLoop loop,
        Journal journal,
        Worker spawner,
        Worker observer,
        Launcher launcher,
        Limits limits,
        Clock clock,
        MemorySegment scratch,
        Consumer<ProcessEvent> publisher) {
    /** Bytes of {@link #scratch}. */
    public static final int SCRATCH_BYTES = 1024 * 1024;
}
