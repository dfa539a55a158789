package org.berth.harness.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.berth.harness.setup.LockWorld.Whose;
import org.berth.harness.setup.model.LockModel;

/** The laws of the bootstrap lock, in real directories. Source: the harness reference, kernel environment, 5. */
class LockLawsTest {
    private static final int TRIES = 60;

    @Provide
    Arbitrary<List<Whose>> files() {
        return Arbitraries.of(Whose.class).list().ofMaxSize(4);
    }

    /** Whose the lock is; none for a free one. A lock is published with its text, so it is never without one. */
    @Provide
    Arbitrary<Optional<Whose>> locks() {
        return Arbitraries.of(Whose.class).filter(Whose::written).optional(0.7);
    }

    private static LockWorld world(Optional<Whose> lock, List<Whose> candidates, List<Whose> stale) throws IOException {
        LockWorld world = new LockWorld();
        for (Whose whose : candidates) {
            world.candidate(whose);
        }
        for (Whose whose : stale) {
            world.stale(whose);
        }
        if (lock.isPresent()) {
            world.locked(lock.get());
        }
        return world.other("kernel-venv.bootstrap.lock.candidate-1-x").other("server.json");
    }

    @Property(tries = TRIES)
    void kernel_lock_attempt_leaves_none(
            @ForAll("locks") Optional<Whose> lock, @ForAll("files") List<Whose> files, @ForAll boolean isDirectory)
            throws IOException {
        try (LockWorld world = world(isDirectory ? Optional.empty() : lock, files, List.of())) {
            if (isDirectory) {
                Files.createDirectory(world.lock);
            }
            boolean held = held(world);
            assertThat(held)
                    .isEqualTo(!isDirectory && lock.filter(whose -> whose.lives).isEmpty());
            assertThat(world.there().keySet()).isSubsetOf(world.files.keySet());
        }
    }

    /** Tries once and gives a lock back; an exception is no lock. */
    private static boolean held(LockWorld world) {
        try {
            return switch (BootstrapLock.attempt(world.lock)) {
                case BootstrapLock.Attempt.Held(BootstrapLock mine) -> {
                    mine.close();
                    yield true;
                }
                case BootstrapLock.Attempt.Busy _ -> false;
            };
        } catch (IOException e) {
            return false;
        }
    }

    @Property(tries = TRIES)
    void kernel_lock_sweep_removes_dead(
            @ForAll("locks") Optional<Whose> lock,
            @ForAll("files") List<Whose> candidates,
            @ForAll("files") List<Whose> stale)
            throws IOException {
        try (LockWorld world = world(lock, candidates, stale)) {
            held(world);
            assertThat(world.there()).doesNotContainValue(LockModel.Kind.DEAD_LEFTOVER);
        }
    }

    @Property(tries = TRIES)
    void kernel_lock_sweep_keeps_live(
            @ForAll("locks") Optional<Whose> lock,
            @ForAll("files") List<Whose> candidates,
            @ForAll("files") List<Whose> stale)
            throws IOException {
        try (LockWorld world = world(lock, candidates, stale)) {
            held(world);
            List<String> live = world.files.entrySet().stream()
                    .filter(file -> file.getValue() != LockModel.Kind.DEAD_LEFTOVER)
                    .map(file -> file.getKey())
                    .toList();
            assertThat(world.there()).containsKeys(live.toArray(String[]::new));
            boolean isLive = lock.filter(whose -> whose.lives).isPresent();
            assertThat(Files.exists(world.lock)).isEqualTo(isLive);
        }
    }
}
