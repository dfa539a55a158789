package org.berth.harness.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;
import org.berth.harness.Bridge;
import org.berth.harness.setup.LockWorld.Whose;
import org.berth.harness.setup.model.LockModel;
import org.junit.jupiter.api.Test;

/** Attempts on real lock directories end as the model's. */
class LockBridgeTest {
    private static final int SCENARIOS = 40;
    private static final int MOST_FILES = 4;

    enum Rule {
        FREE,
        LIVE_OWNER,
        DEAD_OWNER,
        LIVE_CANDIDATE,
        DEAD_CANDIDATE,
        LIVE_STALE,
        DEAD_STALE,
        OTHER_FILE
    }

    @Test
    void theRealLockIsTheModels() {
        new Bridge<>(LockBridgeTest.class, Rule.class).run(SCENARIOS, LockBridgeTest::scenario);
    }

    private static void scenario(Random random, Bridge<Rule> bridge) throws IOException {
        try (LockWorld world = new LockWorld()) {
            LockModel.Lock lock = lock(world, random, bridge);
            for (int i = random.nextInt(MOST_FILES); i > 0; i--) {
                Whose whose = any(random);
                world.candidate(whose);
                bridge.reached(whose.lives ? Rule.LIVE_CANDIDATE : Rule.DEAD_CANDIDATE);
            }
            for (int i = random.nextInt(MOST_FILES); i > 0; i--) {
                Whose whose = any(random);
                world.stale(whose);
                bridge.reached(whose.lives ? Rule.LIVE_STALE : Rule.DEAD_STALE);
            }
            for (int i = random.nextInt(2); i > 0; i--) {
                world.other(List.of("venv.txt", "kernel-venv.bootstrap.lock.stale-12", "other.candidate-1-a")
                        .get(random.nextInt(3)));
                bridge.reached(Rule.OTHER_FILE);
            }
            String before = lock == LockModel.Lock.LIVE ? Files.readString(world.lock) : "";
            LockModel.End model = LockModel.attempt(lock, world.files);
            switch (BootstrapLock.attempt(world.lock)) {
                case BootstrapLock.Attempt.Held(BootstrapLock mine) -> {
                    assertThat(new LockModel.End(true, world.there())).isEqualTo(model);
                    assertThat(BootstrapLock.holder(world.lock))
                            .contains(ProcessHandle.current().pid());
                    mine.close();
                    assertThat(world.lock).doesNotExist();
                }
                case BootstrapLock.Attempt.Busy busy -> {
                    assertThat(new LockModel.End(false, world.there())).isEqualTo(model);
                    assertThat(busy.pid()).contains(Whose.LIVE.owner().pid());
                    assertThat(world.lock).hasContent(before.strip());
                }
            }
        }
    }

    private static LockModel.Lock lock(LockWorld world, Random random, Bridge<Rule> bridge) throws IOException {
        switch (random.nextInt(3)) {
            case 0 -> {
                bridge.reached(Rule.FREE);
                return LockModel.Lock.FREE;
            }
            case 1 -> {
                bridge.reached(Rule.LIVE_OWNER);
                world.locked(Whose.LIVE);
                return LockModel.Lock.LIVE;
            }
            default -> {
                bridge.reached(Rule.DEAD_OWNER);
                world.locked(
                        List.of(Whose.ENDED, Whose.EARLIER, Whose.BEFORE_BOOT).get(random.nextInt(3)));
                return LockModel.Lock.DEAD;
            }
        }
    }

    private static Whose any(Random random) {
        return Whose.values()[random.nextInt(Whose.values().length)];
    }
}
