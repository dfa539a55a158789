package org.berth.harness.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.berth.harness.access.model.LocalAccessModel;
import org.berth.harness.access.model.SocketDirectoryModel.Found;
import org.berth.harness.access.model.SocketDirectoryModel.Kind;
import org.berth.harness.access.model.SocketDirectoryModel.Outcome;

/**
 * The laws of the socket's directory, on real paths, for each side that looks at it. Source: the harness reference, Local
 * access, 1.
 */
public abstract class SocketDirectoryLaws {
    protected static final int OPEN_UMASK = 0;
    private static final int OTHERS_WRITE = 0022;

    /** What the rule of this side makes of {@code place}, for its user or for another. */
    protected abstract Outcome outcome(Path place, boolean own) throws IOException;

    /** Makes {@code place} and what is missing above it by the rule of this side. */
    protected abstract void makeTree(Path place) throws IOException;

    /** How many missing directories this side makes. */
    protected abstract int mostDepth();

    @Provide
    protected Arbitrary<Found> found() {
        return Places.found();
    }

    @Provide
    protected Arbitrary<Integer> umask() {
        return Places.umasks();
    }

    @Property
    void socket_dir_owned(@ForAll("found") Found found) throws IOException {
        Places.under(OPEN_UMASK, scratch -> {
            Path place = Places.make(scratch, found);
            if (outcome(place, found.own()) instanceof Outcome.Used) {
                assertThat(found.own()).isTrue();
                assertThat(Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)).isTrue();
                assertThat(Places.mode(place) & OTHERS_WRITE).isZero();
            }
        });
    }

    @Property
    void socket_dir_progress(@ForAll @IntRange(max = 0777) int mode) throws IOException {
        int closed = mode & ~OTHERS_WRITE;
        Places.under(OPEN_UMASK, scratch -> {
            Path place = Places.make(scratch, new Found(Kind.DIRECTORY, true, closed));
            assertThat(outcome(place, true)).isEqualTo(new Outcome.Used(closed));
        });
    }

    @Property(tries = 300)
    void socket_dir_created(@ForAll("umask") int umask) throws IOException {
        for (int depth = 1; depth <= mostDepth(); depth++) {
            int directories = depth;
            Places.under(umask, scratch -> {
                Path place = scratch;
                for (int i = 0; i < directories; i++) {
                    place = place.resolve("d" + i);
                }
                makeTree(place);
                for (Path made = place; !made.equals(scratch); made = made.getParent()) {
                    assertThat(Places.mode(made)).isEqualTo(LocalAccessModel.created(true, umask));
                }
            });
        }
    }

    @Property(tries = 300)
    void socket_dir_created_used(@ForAll("umask") int umask, @ForAll @IntRange(min = 1, max = 4) int times)
            throws IOException {
        Places.under(umask, scratch -> {
            for (int i = 0; i < times; i++) {
                assertThat(outcome(scratch.resolve("place"), true)).isEqualTo(new Outcome.Used(0700));
            }
        });
    }
}
