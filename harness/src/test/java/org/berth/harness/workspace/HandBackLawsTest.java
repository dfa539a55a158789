package org.berth.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.berth.harness.workspace.model.HandBackModel;

/** The laws of the hand-back: on the rule that decides, and on real directories. Source: the harness reference, S3. */
class HandBackLawsTest {
    /** The outcome of real directories. */
    private record Outcome(
            SortedMap<String, String> parent, Map<String, Optional<String>> conflicts, HandBack handBack) {}

    private static Outcome outcome(Versions versions) throws IOException {
        try (Family family = Family.anywhere()) {
            HandBack handBack = family.diverge(versions.base(), versions.parent(), versions.child())
                    .handBack();
            SortedMap<String, String> kept = family.conflictFiles();
            Map<String, Optional<String>> conflicts = new TreeMap<>();
            handBack.conflicts()
                    .forEach(
                            conflict -> conflicts.put(conflict.path(), Optional.ofNullable(kept.get(conflict.path()))));
            assertThat(kept.keySet()).isSubsetOf(conflicts.keySet());
            return new Outcome(family.parentFiles(), conflicts, handBack);
        }
    }

    /** The rule over values: 0 stands for no file. */
    private static PathMerge decide(int parent, int base, int child) throws IOException {
        return PathMerge.decide(new PathMerge.Sides() {
            @Override
            public boolean childIsBase() {
                return child == base;
            }

            @Override
            public boolean parentCanHold() {
                return true;
            }

            @Override
            public boolean parentIsBase() {
                return parent == base;
            }

            @Override
            public boolean parentIsChild() {
                return parent == child;
            }
        });
    }

    private static int after(PathMerge merge, int parent, int child) {
        return merge == PathMerge.TAKE ? child : parent;
    }

    @Provide
    Arbitrary<Integer> version() {
        return Arbitraries.integers().between(0, 3);
    }

    @Provide
    Arbitrary<Versions> versions() {
        return Versions.arbitrary();
    }

    @Property(tries = 40)
    void cow_keeps_parent(
            @ForAll("version") int parent, @ForAll("version") int base, @ForAll("versions") Versions versions)
            throws IOException {
        assertThat(after(decide(parent, base, base), parent, base)).isEqualTo(parent);
        Outcome outcome = outcome(versions);
        for (String path : versions.paths()) {
            if (Objects.equals(versions.child().get(path), versions.base().get(path))) {
                assertThat(outcome.parent().get(path))
                        .isEqualTo(versions.parent().get(path));
                assertThat(outcome.conflicts()).doesNotContainKey(path);
            }
        }
    }

    @Property(tries = 40)
    void cow_takes_child(
            @ForAll("version") int base, @ForAll("version") int child, @ForAll("versions") Versions versions)
            throws IOException {
        assertThat(after(decide(base, base, child), base, child)).isEqualTo(child);
        Outcome outcome = outcome(versions);
        for (String path : versions.paths()) {
            if (Objects.equals(versions.parent().get(path), versions.base().get(path))) {
                assertThat(outcome.parent().get(path))
                        .isEqualTo(versions.child().get(path));
                assertThat(outcome.conflicts()).doesNotContainKey(path);
            }
        }
    }

    @Property(tries = 40)
    void cow_conflict_reported(
            @ForAll("version") int parent,
            @ForAll("version") int base,
            @ForAll("version") int child,
            @ForAll("versions") Versions versions)
            throws IOException {
        if (parent != base && child != base && parent != child) {
            assertThat(decide(parent, base, child)).isEqualTo(PathMerge.CONFLICT);
        }
        Outcome outcome = outcome(versions);
        for (String path : versions.paths()) {
            String parents = versions.parent().get(path);
            String bases = versions.base().get(path);
            String childs = versions.child().get(path);
            if (!Objects.equals(parents, bases) && !Objects.equals(childs, bases) && !Objects.equals(parents, childs)) {
                assertThat(outcome.parent().get(path)).isEqualTo(parents);
                assertThat(outcome.conflicts()).containsEntry(path, Optional.ofNullable(childs));
            }
        }
    }

    @Property(tries = 40)
    void cow_conflict_is_real(
            @ForAll("version") int parent,
            @ForAll("version") int base,
            @ForAll("version") int child,
            @ForAll("versions") Versions versions)
            throws IOException {
        if (decide(parent, base, child) == PathMerge.CONFLICT) {
            assertThat(parent).isNotEqualTo(base).isNotEqualTo(child);
            assertThat(child).isNotEqualTo(base);
        }
        for (String path : outcome(versions).conflicts().keySet()) {
            String parents = versions.parent().get(path);
            String childs = versions.child().get(path);
            assertThat(parents).isNotEqualTo(versions.base().get(path)).isNotEqualTo(childs);
            assertThat(childs).isNotEqualTo(versions.base().get(path));
        }
    }

    @Property(tries = 500)
    void theRuleThatDecidesIsTheModel(
            @ForAll("version") int parent, @ForAll("version") int base, @ForAll("version") int child)
            throws IOException {
        HandBackModel.Merged<Integer> merged = HandBackModel.merge1(file(parent), file(base), file(child));
        PathMerge merge = decide(parent, base, child);
        assertThat(file(after(merge, parent, child))).isEqualTo(merged.parent());
        assertThat(merge == PathMerge.CONFLICT).isEqualTo(merged.conflict());
    }

    private static Optional<Integer> file(int version) {
        return version == 0 ? Optional.empty() : Optional.of(version);
    }
}
