package org.berth.harness.workspace;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.berth.harness.tree.Directory;

/** One thread's part of writing the child's versions beside their paths; several threads wait for the disk together. */
final class WriteLane implements Lanes.LaneWork<String> {
    private static final int BUFFER_BYTES = 128 << 10;

    private final ParentTree into;
    private final Directory copy;
    private final FaultPoint written;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(BUFFER_BYTES);

    WriteLane(ParentTree into, Directory copy, FaultPoint written) {
        this.into = into;
        this.copy = copy;
        this.written = written;
    }

    @Override
    public void on(String path) throws IOException {
        into.write(copy, path, buffer);
        written.hit();
    }

    @Override
    public void close() {
        arena.close();
    }
}
