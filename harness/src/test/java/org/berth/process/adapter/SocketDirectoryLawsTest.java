package org.berth.process.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.berth.harness.access.Places;
import org.berth.harness.access.SocketDirectoryLaws;
import org.berth.harness.access.model.SocketDirectoryModel;
import org.berth.harness.access.model.SocketDirectoryModel.Found;
import org.berth.harness.access.model.SocketDirectoryModel.Outcome;
import org.berth.harness.access.model.SocketDirectoryModel.Problem;

/**
 * The laws of the socket's directory and of its peers on the server's side, on real paths and sockets. Source: the harness
 * reference, Local access, 1 and 2.
 */
class SocketDirectoryLawsTest extends SocketDirectoryLaws {

    /** Whose directory it is cannot be chosen by a test, but whom the rule trusts can. */
    private static SocketDirectory trusting(Path place, boolean own) throws IOException {
        return new SocketDirectory(place, SocketDirectory.ownUid() + (own ? 0 : 1));
    }

    @Override
    protected Outcome outcome(Path place, boolean own) throws IOException {
        try {
            trusting(place, own).prepare();
            return new Outcome.Used(Places.mode(place));
        } catch (LocalAccessException e) {
            assertThat(e).hasMessageContaining(place.getParent().toString());
            return new Outcome.Refused(problem(e.getMessage()));
        }
    }

    @Override
    protected void makeTree(Path place) throws IOException {
        trusting(place, true).prepare();
    }

    @Override
    protected int mostDepth() {
        return 2;
    }

    private static Problem problem(String sentence) {
        if (sentence.contains("is not a real directory")) {
            return Problem.NO_DIRECTORY;
        }
        if (sentence.contains("belongs to user")) {
            return Problem.ANOTHER_USER;
        }
        assertThat(sentence).contains("can be written by others");
        return Problem.OPEN_TO_OTHERS;
    }

    /** A parent that is not the trusted user's is refused before the directory is looked at, with the same outcome. */
    @Property
    void theRealRuleIsTheModels(@ForAll("found") Found found) throws IOException {
        Places.under(OPEN_UMASK, scratch -> {
            Outcome real = outcome(Places.make(scratch, found), found.own());
            Outcome model = SocketDirectoryModel.decide(found);
            if (found.own()) {
                assertThat(real).isEqualTo(model);
            } else {
                assertThat(real).isInstanceOf(Outcome.Refused.class);
                assertThat(model).isInstanceOf(Outcome.Refused.class);
            }
        });
    }

    /** Whether a peer of that user is kept; a refused one has not got a byte. */
    private static boolean isAccepted(Path scratch, UserPrincipal peer) throws IOException {
        Path place = scratch.resolve("peers");
        SocketDirectory directory = new SocketDirectory(place, SocketDirectory.ownUid(), channel -> peer);
        directory.prepare();
        Path socket = place.resolve("supervisor-00000000.sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            try (SocketChannel connected = directory.connect(socket)) {
                return connected.isConnected();
            } catch (LocalAccessException e) {
                assertThat(e).hasMessageContaining(socket.toString());
                try (SocketChannel accepted = server.accept()) {
                    assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
                }
                return false;
            }
        }
    }

    @Property(tries = 100)
    void peer_same_uid(@ForAll String name) throws IOException {
        Places.under(OPEN_UMASK, scratch -> {
            UserPrincipal own = Files.getOwner(scratch);
            UserPrincipal named = new UserPrincipal() {
                @Override
                public String getName() {
                    return name;
                }

                @Override
                public boolean equals(Object other) {
                    return other instanceof UserPrincipal user && user.getName().equals(name);
                }

                @Override
                public int hashCode() {
                    return name.hashCode();
                }
            };
            if (isAccepted(scratch, named)) {
                assertThat(name).isEqualTo(own.getName());
            }
        });
    }

    @Property(tries = 100)
    void peer_own_accepted(@ForAll("umask") int umask) throws IOException {
        Places.under(
                umask,
                scratch ->
                        assertThat(isAccepted(scratch, Files.getOwner(scratch))).isTrue());
    }
}
