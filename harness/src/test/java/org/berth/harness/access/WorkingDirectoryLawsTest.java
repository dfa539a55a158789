package org.berth.harness.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.berth.files.Trees;
import org.berth.harness.access.model.WorkingDirectoryModel;
import org.berth.harness.access.model.WorkingDirectoryModel.Outcome;
import org.berth.harness.access.model.WorkingDirectoryModel.There;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The laws of the working directory, on real paths. Source: the harness reference, Local access, 4. */
class WorkingDirectoryLawsTest {
    private static Path scratch;

    /** A path of every kind; a link counts as what it leads to. */
    enum Place {
        MISSING(There.NOTHING),
        DANGLING(There.NOTHING),
        UNDER_A_FILE(There.NOTHING),
        FILE(There.FILE),
        LINK_TO_FILE(There.FILE),
        DIRECTORY(There.DIRECTORY),
        LINK_TO_DIRECTORY(There.DIRECTORY),
        ROOT(There.DIRECTORY);

        final There there;

        Place(There there) {
            this.there = there;
        }

        String path() {
            return switch (this) {
                case ROOT -> "/";
                case UNDER_A_FILE -> scratch.resolve("FILE/x").toString();
                default -> scratch.resolve(name()).toString();
            };
        }
    }

    @BeforeContainer
    static void makePlaces() throws IOException {
        scratch = Files.createTempDirectory("berth-cwd").toRealPath();
        Files.createDirectory(scratch.resolve("DIRECTORY"));
        Files.createFile(scratch.resolve("FILE"));
        Files.createSymbolicLink(scratch.resolve("LINK_TO_DIRECTORY"), Path.of("DIRECTORY"));
        Files.createSymbolicLink(scratch.resolve("LINK_TO_FILE"), Path.of("FILE"));
        Files.createSymbolicLink(scratch.resolve("DANGLING"), Path.of("nowhere"));
    }

    @AfterContainer
    static void removePlaces() throws IOException {
        Trees.remove(scratch);
    }

    private static Outcome outcome(Optional<String> named, Optional<String> recorded) {
        try {
            return new Outcome.Opens(WorkingDirectory.require(named, recorded).toString());
        } catch (BerthException e) {
            assertThat(e.code()).isEqualTo(ProblemCode.INVALID);
            return new Outcome.Refused(e.getMessage());
        }
    }

    @Provide
    Arbitrary<Optional<String>> given() {
        return Arbitraries.of(Place.class).map(Place::path).optional();
    }

    @Provide
    Arbitrary<Optional<String>> none() {
        return Arbitraries.of(Optional.empty(), Optional.of(""));
    }

    @Property
    void cwd_is_explicit(@ForAll("given") Optional<String> named, @ForAll("given") Optional<String> recorded) {
        if (outcome(named, recorded) instanceof Outcome.Opens(String path)) {
            assertThat(Optional.of(path)).isEqualTo(named.or(() -> recorded));
        }
    }

    @Property
    void cwd_none_refused(@ForAll("none") Optional<String> named) {
        assertThat(outcome(named, Optional.empty()))
                .isEqualTo(new Outcome.Refused("a session needs a working directory"));
    }

    @Property
    void cwd_gone_refused(@ForAll Place place, @ForAll("given") Optional<String> recorded) {
        if (place.there == There.NOTHING) {
            assertThat(outcome(Optional.of(place.path()), recorded))
                    .isEqualTo(new Outcome.Refused("working directory " + place.path() + " is gone"));
        }
    }

    @Property
    void cwd_file_refused(@ForAll Place place, @ForAll("given") Optional<String> recorded) {
        if (place.there == There.FILE) {
            assertThat(outcome(Optional.of(place.path()), recorded))
                    .isEqualTo(new Outcome.Refused("working directory " + place.path() + " is not a directory"));
        }
    }

    @Property
    void cwd_dir_opens(@ForAll Place place, @ForAll("none") Optional<String> none) {
        if (place.there == There.DIRECTORY) {
            assertThat(outcome(Optional.of(place.path()), Optional.empty())).isEqualTo(new Outcome.Opens(place.path()));
            assertThat(outcome(none, Optional.of(place.path()))).isEqualTo(new Outcome.Opens(place.path()));
        }
    }

    @Property
    void theRealRuleIsTheModels(
            @ForAll Place place, @ForAll boolean isRecorded, @ForAll("none") Optional<String> none) {
        Optional<String> path = Optional.of(place.path());
        Optional<String> named = isRecorded ? none : path;
        Optional<String> recorded = isRecorded ? path : Optional.empty();
        assertThat(outcome(named, recorded)).isEqualTo(WorkingDirectoryModel.decide(named, recorded, place.there));
    }

    @Property
    void aPathFromTheServersOwnDirectoryIsRefused(@ForAll("relative") String path) {
        assertThat(outcome(Optional.of(path), Optional.empty()))
                .isEqualTo(new Outcome.Refused("working directory " + path + " is not an absolute path"));
    }

    @Provide
    Arbitrary<String> relative() {
        return Arbitraries.of(".", "..", "src", "./x", "~", "~/x");
    }
}
