package org.berth.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.harness.workspace.Family.files;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hand-back that is killed at any passing of any fault point, run again: the same tree, the same report. */
class HandBackCrashTest {
    private static final int KILLED = 137;
    private static final SortedMap<String, String> BASE = files(
            "edit1=f:0",
            "edit2=f:0",
            "gone/deep/one=f:0",
            "gone/two=f:0",
            "file=f:0",
            "dir/a=f:0",
            "both=f:0",
            "keep=f:0");
    private static final SortedMap<String, String> PARENT = files(
            "edit1=f:0",
            "edit2=f:0",
            "gone/deep/one=f:0",
            "gone/two=f:0",
            "file=f:0",
            "dir/a=f:0",
            "both=f:1",
            "keep=f:7");
    private static final SortedMap<String, String> CHILD =
            files("edit1=f:1", "edit2=x:2", "file/in=f:3", "dir=f:4", "both=f:2", "keep=f:0", "new/x=l:target");
    private static final SortedMap<String, String> AFTER =
            files("edit1=f:1", "edit2=x:2", "file/in=f:3", "dir=f:4", "both=f:1", "keep=f:7", "new/x=l:target");

    @TempDir
    Path scratch;

    @Test
    void aKillAtAnyPointOfTheHandBackLosesNothing() throws Exception {
        HandBack whole;
        try (Family family = Family.anywhere()) {
            whole = family.diverge(BASE, PARENT, CHILD).handBack();
            assertThat(family.parentFiles()).isEqualTo(AFTER);
        }
        Map<FaultPoint, Integer> kills = new EnumMap<>(FaultPoint.class);
        for (FaultPoint point : FaultPoint.values()) {
            int times = 0;
            while (isKilledAt(point, times + 1, whole)) {
                times++;
            }
            kills.put(point, times);
        }
        assertThat(kills)
                .containsEntry(FaultPoint.HANDBACK_RENAMED, 5)
                .containsEntry(FaultPoint.HANDBACK_WRITTEN, 5)
                .containsEntry(FaultPoint.HANDBACK_REMOVED, 4)
                .allSatisfy((point, times) -> assertThat(times).as(point.name()).isPositive());
    }

    private boolean isKilledAt(FaultPoint point, int passing, HandBack whole) throws IOException, InterruptedException {
        try (Family family = Family.anywhere()) {
            family.diverge(BASE, PARENT, CHILD);
            int status = run(family.root, point, passing);
            assertThat(status).isIn(0, KILLED);
            HandBack again = family.handBack();

            String when = point + ":" + passing;
            assertThat(family.parentFiles()).as(when).isEqualTo(AFTER);
            assertThat(again.taken()).as(when).isEqualTo(whole.taken());
            assertThat(again.removed()).as(when).isEqualTo(whole.removed());
            assertThat(again.conflicts()).as(when).hasSameSizeAs(whole.conflicts());
            assertThat(family.conflictFiles()).as(when).isEqualTo(files("both=f:2"));
            assertThat(family.copy()).as(when).isSymbolicLink();
            assertThat(family.directory().toFile().list())
                    .as(when)
                    .containsExactlyInAnyOrder("copy", "conflicts", "handback.json", "manifest", "lock");
            family.sweep();
            assertThat(family.discarded()).as(when).isEmpty();
            return status == KILLED;
        }
    }

    private int run(Path root, FaultPoint point, int passing) throws IOException, InterruptedException {
        File out = scratch.resolve(point + "-" + passing + ".out").toFile();
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dberth.fault=" + point + ":" + passing,
                        "-cp",
                        System.getProperty("java.class.path"),
                        HandBackMain.class.getName(),
                        root.toString()))
                .redirectErrorStream(true)
                .redirectOutput(out)
                .start()
                .waitFor();
    }
}
