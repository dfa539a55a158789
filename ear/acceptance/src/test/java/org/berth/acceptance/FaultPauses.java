package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.berth.fault.FaultPoint;

/** Operations of a server that wait at fault points: until they are let go, or until the server is killed. */
public final class FaultPauses {
    private final BerthServer server;
    private final Path directory;
    private final List<Held> held = new ArrayList<>();

    private record Held(FaultPoint point, CompletableFuture<?> operation) {}

    /** For {@code server}, which is started with {@link #option()}. */
    public FaultPauses(BerthServer server) {
        this.server = server;
        directory = server.directory("pauses");
    }

    /** The option of the server's JVM. */
    public String option() {
        return "-Dberth.fault.pause=" + directory;
    }

    /**
     * What the server answers to {@code ask}, which waits at {@code point} while {@code meanwhile} happens.
     *
     * @throws AssertionError when it was answered before it came to the point
     */
    public Answer during(FaultPoint point, Supplier<Answer> ask, Runnable meanwhile) {
        CompletableFuture<Answer> asked = caught(point, ask);
        try {
            meanwhile.run();
        } finally {
            delete(point.name() + FaultPoint.HIT);
        }
        return asked.join();
    }

    /**
     * Begins {@code operation}, which waits at {@code point} from here on.
     *
     * @throws AssertionError when it ended before it came to the point
     */
    public void hold(FaultPoint point, Runnable operation) {
        held.add(new Held(point, caught(point, () -> {
            operation.run();
            return null;
        })));
    }

    /** Kills the server (KILL) in the middle of all that is held; each of them hears of it by its cut connection. */
    public void kill() {
        server.kill9();
        for (Held each : held) {
            assertThatThrownBy(() -> each.operation().join())
                    .as("the answer at %s", each.point())
                    .hasCauseInstanceOf(UncheckedIOException.class);
            delete(each.point().name() + FaultPoint.HIT);
        }
        held.clear();
    }

    private <V> CompletableFuture<V> caught(FaultPoint point, Supplier<V> operation) {
        Path armed = directory.resolve(point.name());
        try {
            Files.createFile(armed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        CompletableFuture<V> asked = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                asked.complete(operation.get());
            } catch (Throwable e) {
                asked.completeExceptionally(e);
            }
        });
        try {
            Await.until("the point is reached: " + point, () -> Files.notExists(armed) || asked.isDone());
            assertThat(armed)
                    .as(
                            "%s: %s",
                            point,
                            asked.isDone() ? asked.handle(FaultPauses::told).join() : "")
                    .doesNotExist();
            return asked;
        } finally {
            delete(point.name());
        }
    }

    private static String told(Object answer, Throwable failure) {
        return answer instanceof Answer told ? told.text() : String.valueOf(failure);
    }

    private void delete(String name) {
        try {
            Files.deleteIfExists(directory.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
