package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.berth.harness.access.Places;
import org.berth.harness.access.SocketDirectoryLaws;
import org.berth.harness.access.model.LocalAccessModel;
import org.berth.harness.access.model.SocketDirectoryModel;
import org.berth.harness.access.model.SocketDirectoryModel.Found;
import org.berth.harness.access.model.SocketDirectoryModel.Outcome;
import org.berth.harness.access.model.SocketDirectoryModel.Problem;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.OwnProcess;
import org.berth.process.supervisor.os.UnixSocket;

/**
 * The laws of the socket's directory and of its peers on the supervisor's side, on real paths and sockets. Source: the harness
 * reference, Local access, 1 and 2.
 */
class PrivateDirectoryLawsTest extends SocketDirectoryLaws {
    private static final long MOST_UID = 0xFFFF_FFFFL;

    @Override
    protected Outcome outcome(Path place, boolean own) throws IOException {
        try {
            PrivateDirectory.require(place, OwnProcess.uid() + (own ? 0 : 1));
        } catch (IOException e) {
            assertThat(e).hasMessageContaining(place.toString());
            return new Outcome.Refused(problem(e.getMessage()));
        }
        return new Outcome.Used(Places.mode(place));
    }

    @Override
    protected void makeTree(Path place) throws IOException {
        PrivateDirectory.requireTree(place, OwnProcess.uid());
    }

    @Override
    protected int mostDepth() {
        return 4;
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
