package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.berth.harness.access.Places;
import org.berth.harness.access.model.LocalAccessModel;
import org.berth.harness.access.model.SocketDirectoryModel;
import org.berth.harness.access.model.SocketDirectoryModel.Found;
import org.berth.harness.access.model.SocketDirectoryModel.Kind;
import org.berth.harness.access.model.SocketDirectoryModel.Outcome;
import org.berth.harness.access.model.SocketDirectoryModel.Problem;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.OwnProcess;
import org.berth.process.supervisor.os.UnixSocket;

/**
 * The laws of the socket's directory and of its peers on the supervisor's side, on real paths and sockets. Source: the harness
 * reference, Local access, 1 and 2.
 */
class PrivateDirectoryLawsTest {
    private static final int OTHERS_WRITE = 0022;
    private static final int OPEN_UMASK = 0;
    private static final long MOST_UID = 0xFFFF_FFFFL;

    private static Outcome outcome(Path place, boolean own) throws IOException {
        try {
            PrivateDirectory.require(place, OwnProcess.uid() + (own ? 0 : 1));
        } catch (IOException e) {
            assertThat(e).hasMessageContaining(place.toString());
            return new Outcome.Refused(problem(e.getMessage()));
        }
        return new Outcome.Used(Places.mode(place));
    }

    private static Problem problem(String sentence) {
        if (sentence.contains("is not a directory")) {
            return Problem.NO_DIRECTORY;
        }
        if (sentence.contains("belongs to user")) {
            return Problem.ANOTHER_USER;
        }
        assertThat(sentence).contains("may be written by others");
        return Problem.OPEN_TO_OTHERS;
    }

    @Provide
    Arbitrary<Found> found() {
        return Places.found();
    }

    @Provide
    Arbitrary<Integer> umask() {
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
    void socket_dir_created(@ForAll("umask") int umask, @ForAll @IntRange(min = 1, max = 4) int depth)
            throws IOException {
        Places.under(umask, scratch -> {
            Path place = scratch;
            for (int i = 0; i < depth; i++) {
                place = place.resolve("d" + i);
            }
            PrivateDirectory.requireTree(place, OwnProcess.uid());
            for (Path made = place; !made.equals(scratch); made = made.getParent()) {
                assertThat(Places.mode(made)).isEqualTo(LocalAccessModel.created(true, umask));
            }
        });
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

    @Property
    void theRealRuleIsTheModels(@ForAll("found") Found found) throws IOException {
        Places.under(
                OPEN_UMASK,
                scratch -> assertThat(outcome(Places.make(scratch, found), found.own()))
                        .isEqualTo(SocketDirectoryModel.decide(found)));
    }

    /** What the kernel says of a peer that really connected: it is this process. */
    private static UnixSocket.Peer connected(int umask) throws IOException {
        UnixSocket.Peer[] peer = new UnixSocket.Peer[1];
        Places.under(umask, scratch -> {
            Path path = scratch.resolve("s");
            int listener = UnixSocket.listen(path.toString());
            try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                client.connect(UnixDomainSocketAddress.of(path));
                int fd = UnixSocket.accept(listener);
                peer[0] = UnixSocket.peer(fd);
                Descriptors.close(fd);
            } finally {
                Descriptors.close(listener);
            }
        });
        return peer[0];
    }

    @Provide
    Arbitrary<Long> uid() {
        long own = OwnProcess.uid();
        return Arbitraries.oneOf(
                Arbitraries.longs().between(0, MOST_UID), Arbitraries.of(own, own + 1, Math.max(0, own - 1), 0L));
    }

    @Property(tries = 100)
    void peer_same_uid(@ForAll("uid") long own) throws IOException {
        if (connected(OPEN_UMASK).isOf(own)) {
            assertThat(own).isEqualTo(OwnProcess.uid());
        }
    }

    @Property(tries = 100)
    void peer_own_accepted(@ForAll("umask") int umask) throws IOException {
        assertThat(connected(umask).isOf(OwnProcess.uid())).isTrue();
    }

    @Property
    void thePeersVerdictIsTheModels(@ForAll("uid") long peer, @ForAll("uid") long own) {
        assertThat(new UnixSocket.Peer(1, peer).isOf(own)).isEqualTo(LocalAccessModel.isAccepted(peer, own));
    }
}
