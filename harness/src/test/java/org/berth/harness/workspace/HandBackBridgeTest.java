package org.berth.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.berth.harness.workspace.model.HandBackModel;
import org.junit.jupiter.api.Test;

/** Generated families as real directories: the hand-back's transcript is the model's, byte for byte. */
class HandBackBridgeTest {
    private static final int SCENARIOS = 250;

    /** One seed with {@code -Dberth.seed=N} runs that scenario alone. */
    private static final String ONE_SEED = "berth.seed";

    /** What a path came to, so that no case goes untried. */
    private enum Case {
        KEPT,
        TAKEN,
        REMOVAL_TAKEN,
        SAME_CHANGE,
        CONFLICT,
        CONFLICT_WITH_A_REMOVAL
    }

    @Test
    void theHandBackOfRealDirectoriesIsTheModels() throws IOException {
        Long only = Long.getLong(ONE_SEED);
        if (only != null) {
            check(only);
            return;
        }
        Map<Case, Integer> reached = new EnumMap<>(Case.class);
        for (long seed = 0; seed < SCENARIOS; seed++) {
            count(check(seed), reached);
        }
        assertThat(reached).as("every case is reached").containsOnlyKeys(Case.values());
        assertThat(reached.values()).allSatisfy(times -> assertThat(times).isGreaterThan(20));
    }

    private static Versions check(long seed) throws IOException {
        Versions versions = Versions.generated(new Random(seed));
        String expected = transcript(HandBackModel.back(versions.parent(), versions.base(), versions.child()));
        String actual = transcript(real(versions));
        if (!actual.equals(expected)) {
            fail("seed " + seed + " differs; alone: mvn -pl harness -am test -Dtest=HandBackBridgeTest -D" + ONE_SEED
                    + "=" + seed + "\nexpected:\n" + expected + "actual:\n" + actual);
        }
        return versions;
    }

    private static HandBackModel.Result<String> real(Versions versions) throws IOException {
        try (Family family = Family.anywhere()) {
            HandBack handBack = family.diverge(versions.base(), versions.parent(), versions.child())
                    .handBack();
            SortedMap<String, String> kept = family.conflictFiles();
            SortedMap<String, Optional<String>> conflicts = new TreeMap<>();
            for (HandBack.Conflict conflict : handBack.conflicts()) {
                conflicts.put(conflict.path(), Optional.ofNullable(kept.remove(conflict.path())));
                assertThat(conflict.childVersion().isPresent())
                        .isEqualTo(conflicts.get(conflict.path()).isPresent());
            }
            assertThat(kept).as("child's versions that no conflict names").isEmpty();
            return new HandBackModel.Result<>(family.parentFiles(), conflicts);
        }
    }

    private static String transcript(HandBackModel.Result<String> result) {
        StringBuilder text = new StringBuilder();
        result.parent()
                .forEach((path, version) ->
                        text.append(path).append(" = ").append(version).append('\n'));
        result.conflicts()
                .forEach((path, version) -> text.append("conflict ")
                        .append(path)
                        .append(": ")
                        .append(version.orElse("removed"))
                        .append('\n'));
        return text.toString();
    }

    private static void count(Versions versions, Map<Case, Integer> reached) {
        for (String path : versions.paths()) {
            reached.merge(
                    of(
                            versions.parent().get(path),
                            versions.base().get(path),
                            versions.child().get(path)),
                    1,
                    Integer::sum);
        }
    }

    private static Case of(String parent, String base, String child) {
        if (Objects.equals(child, base)) {
            return Case.KEPT;
        }
        if (Objects.equals(parent, base)) {
            return child == null ? Case.REMOVAL_TAKEN : Case.TAKEN;
        }
        if (Objects.equals(parent, child)) {
            return Case.SAME_CHANGE;
        }
        return child == null || parent == null ? Case.CONFLICT_WITH_A_REMOVAL : Case.CONFLICT;
    }
}
