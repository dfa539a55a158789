package org.berth.preparer.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.berth.driver.AgentCommand;
import org.berth.driver.AgentDriver;
import org.berth.driver.AgentRun;
import org.berth.driver.Delivery;
import org.berth.driver.DriverDefinition;
import org.berth.driver.DriverInputs;
import org.berth.driver.SetupFile;
import org.junit.jupiter.api.Test;

class WritableRootsTest {
    private static final Path WORK = Path.of("/srv/work/tree");
    private static final Path META = Path.of("/srv/work/project/.git");

    /** Says back what it is asked. */
    private static final AgentDriver DRIVER = new AgentDriver() {
        @Override
        public DriverDefinition definition() {
            throw new UnsupportedOperationException();
        }

        @Override
        public AgentCommand command(AgentRun run) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Delivery render(DriverInputs inputs) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<String> writableRoots(String profile, boolean edits, List<Path> roots) {
            return List.of(profile, String.valueOf(edits), roots.toString());
        }

        @Override
        public List<SetupFile> initialisers(SeedFacts facts) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean hasConversation(Path home, String conversationId) {
            throw new UnsupportedOperationException();
        }
    };

    private static List<String> arguments(boolean edits, boolean writable, Path... roots) {
        return WritableRoots.arguments(DRIVER, "batch", edits, new Directories(WORK, writable, List.of(roots)));
    }

    @Test
    void the_driver_says_how_contributed_roots_are_written() {
        assertThat(arguments(true, true, META)).containsExactly("batch", "true", "[" + META + "]");
    }

    @Test
    void nothing_is_added_without_a_contributed_root_an_edit_mode_or_a_writable_directory() {
        assertThat(arguments(true, true)).isEmpty();
        assertThat(arguments(false, true, META)).isEmpty();
        assertThat(arguments(true, false, META)).isEmpty();
    }

    @Test
    void a_root_that_another_covers_is_not_named() {
        assertThat(new Directories(WORK, true, List.of(META, META, META.resolve("refs"), WORK, WORK.resolve("a")))
                        .writableRoots())
                .containsExactly(META);
    }
}
