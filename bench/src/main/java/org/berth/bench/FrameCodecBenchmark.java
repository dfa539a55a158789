package org.berth.bench;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.berth.placement.Capability;
import org.berth.placement.SpawnOrder;
import org.berth.process.protocol.Frame;
import org.berth.process.protocol.FrameCodec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The protocol's words into bytes and back: one full chunk of output, and one order to spawn. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FrameCodecBenchmark {
    private static final int CHUNK_BYTES = 16_384;

    private final Frame output = new Frame.Output("k".repeat(64), 1, 1, 42, false, false, new byte[CHUNK_BYTES]);
    private final Frame spawn = new Frame.Spawn(new SpawnOrder(
            "k".repeat(64),
            "n".repeat(32),
            "/bin/true",
            List.of("one", "two"),
            Map.of("HOME", "/home/someone", "PATH", "/usr/local/bin:/usr/bin:/bin"),
            "/home/someone",
            null,
            null,
            false,
            Capability.PROCESS_GROUP,
            5_000,
            30_000,
            null,
            null,
            1,
            null));
    private final ByteBuffer outputBytes = FrameCodec.encode(7, output);
    private final ByteBuffer spawnBytes = FrameCodec.encode(7, spawn);

    @Benchmark
    public ByteBuffer encodeOutput() {
        return FrameCodec.encode(7, output);
    }

    @Benchmark
    public FrameCodec.Envelope decodeOutput() {
        return FrameCodec.decode(outputBytes.duplicate());
    }

    @Benchmark
    public ByteBuffer encodeSpawn() {
        return FrameCodec.encode(7, spawn);
    }

    @Benchmark
    public FrameCodec.Envelope decodeSpawn() {
        return FrameCodec.decode(spawnBytes.duplicate());
    }
}
