package org.berth.harness.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.berth.files.Trees;
import org.berth.harness.access.model.SocketDirectoryModel.Found;
import org.berth.harness.access.model.SocketDirectoryModel.Kind;
import org.berth.process.supervisor.os.OwnProcess;

/** Real paths of every kind, made under any umask. */
public final class Places {
    private Places() {}

    /** What one case does in a new directory of its own, under a umask. */
    @FunctionalInterface
    public interface Case {
        void in(Path scratch) throws IOException;
    }

    public static Arbitrary<Integer> umasks() {
        return Arbitraries.of(0000, 0002, 0022, 0027, 0077);
    }

    public static Arbitrary<Found> found() {
        return Combinators.combine(
                        Arbitraries.of(Kind.class),
                        Arbitraries.of(true, false),
                        Arbitraries.integers().between(0, 0777))
                .as(Found::new);
    }

    /** A short path: a socket has to fit below it. */
    public static void under(int umask, Case each) throws IOException {
        Path scratch = Files.createTempDirectory("berth-own").toRealPath();
        int former = OwnProcess.umask(umask);
        try {
            each.in(scratch);
        } finally {
            OwnProcess.umask(former);
            Trees.remove(scratch);
        }
    }

    /** Makes what is described, as {@code place} in {@code scratch}. */
    public static Path make(Path scratch, Found found) throws IOException {
        Path place = scratch.resolve("place");
        switch (found.kind()) {
            case NOTHING -> {
                return place;
            }
            case LINK -> {
                return Files.createSymbolicLink(place, Files.createDirectory(scratch.resolve("target")));
            }
            case FILE -> Files.createFile(place);
            case DIRECTORY -> Files.createDirectory(place);
        }
        Files.setAttribute(place, "unix:mode", found.mode());
        return place;
    }

    /** The permission bits, no link followed. */
    public static int mode(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
    }
}
