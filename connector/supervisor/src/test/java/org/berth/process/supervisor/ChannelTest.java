package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.berth.environment.ChannelOrder;
import org.berth.process.protocol.Frame;
import org.berth.process.supervisor.os.ProcStat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChannelTest extends SupervisedTest {
    private static final int MOST = 2 * 1024 * 1024;

    @TempDir
    Path files;

    private ChannelFixture channel;

    @BeforeEach
    void prepare() {
        channel = new ChannelFixture(files);
    }

    @AfterEach
    void closeChannel() {
        channel.close(client);
        channel.close();
    }

    private static String echo(String data) {
        return "{\"args\":[\"echo\"],\"data\":\"" + data + "\"}";
    }

    private static boolean closedByPeer(SocketChannel dialled) throws IOException {
        try {
            return dialled.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void aChannelThatIsNotOpenHasNoStatusAndTakesNoCallAndIsClosedAlready() {
        assertThat(channel.status(client)).isNull();
        assertThat(channel.call(client, echo("a"))).isEqualTo("UNAVAILABLE");
        channel.close(client);
    }

    @Test
    void anOpenChannelHasPrivateSocketsAndWithoutAHelperTakesNoCall() throws IOException {
        channel.open(client, channel.order(List.of(1), List.of()));
        try (var names = Files.list(channel.directory)) {
            assertThat(names)
                    .hasSize(4)
                    .allSatisfy(
                            socket -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                                    .isEqualTo("rw-------"))
                    .extracting(each -> each.getFileName().toString())
                    .containsExactlyInAnyOrder("control.sock", "viewer.sock", "relay-1.sock", "proxy.sock");
        }
        assertThat(channel.status(client).helperConnected()).isFalse();
        assertThat(channel.call(client, echo("a"))).isEqualTo("UNAVAILABLE");
    }

    @Test
    void theHelperIsKnownByItsPidAndStartAndAnswers() {
        Process helper = channel.connected(client);
        assertThat(channel.status(client).helperStartTicks())
                .isEqualTo(ProcStat.of(helper.pid()).startTicks());
        assertThat(channel.call(client, echo("héllo"))).isEqualTo("{\"ok\":true,\"data\":\"héllo\"}");
        assertThat(channel.call(client, "{\"args\":[\"other\"]}")).isEqualTo("{\"ok\":false,\"code\":\"unknown\"}");
    }

    @Test
    void manyCallersAtOnceEachGetTheirOwnReply() {
        channel.connected(client);
        List<Long> asked = IntStream.range(0, 60)
                .mapToObj(i -> channel.send(client, echo("call " + i), 20_000))
                .toList();
        for (int i = 0; i < asked.size(); i++) {
            assertThat(ChannelFixture.answer(client.await(asked.get(i), Duration.ofSeconds(30))))
                    .isEqualTo("{\"ok\":true,\"data\":\"call " + i + "\"}");
        }
    }

    @Test
    void requestsAndRepliesOfTheirBoundPassAndLargerOnesAreRefused() {
        channel.connected(client);
        int wrapping = echo("").length();
        String most = "y".repeat(MOST - wrapping - 64);
        assertThat(channel.call(client, echo(most))).isEqualTo("{\"ok\":true,\"data\":\"" + most + "\"}");
        assertThat(channel.call(client, echo("y".repeat(MOST - wrapping + 1)))).isEqualTo("INVALID");
        assertThat(channel.call(client, "{\"args\":[\"bytes\"],\"data\":\"" + (MOST - 21) + "\"}"))
                .hasSize(MOST);
        assertThat(channel.call(client, "{\"args\":[\"bytes\"],\"data\":\"" + (MOST - 20) + "\"}"))
                .isEqualTo("UNCERTAIN");
        assertThat(channel.call(client, echo("still there"))).contains("still there");
    }

    @Test
    void aHelperThatNeverAnswersCostsOnlyThatCall() {
        channel.connected(client);
        long never = channel.send(client, "{\"args\":[\"never\"]}", 300);
        assertThat(channel.call(client, echo("a"))).contains("a");
        assertThat(ChannelFixture.answer(client.await(never, Duration.ofSeconds(10))))
                .isEqualTo("UNCERTAIN");
        assertThat(channel.call(client, echo("b"))).contains("b");
    }

    @Test
    void whatIsNoRequestIsRefusedAndWhatIsNoReplyEndsTheLine() {
        Process helper = channel.connected(client);
        assertThat(channel.call(client, "[]")).isEqualTo("INVALID");
        assertThat(channel.call(client, "{\"args\":[]\n}")).isEqualTo("INVALID");
        assertThat(channel.call(client, "{\"args\":[\"noise\"]}")).isEqualTo("UNCERTAIN");
        channel.awaitHelper(client, helper);
        assertThat(channel.call(client, echo("again"))).contains("again");
    }

    @Test
    void aCallIsUncertainWhenTheHelperEndsMeanwhile() {
        Process helper = channel.connected(client);
        long never = channel.send(client, "{\"args\":[\"never\"]}", 30_000);
        assertThat(channel.call(client, echo("sent"))).contains("sent");
        ChannelFixture.end(helper);
        assertThat(ChannelFixture.answer(client.await(never, Duration.ofSeconds(10))))
                .isEqualTo("UNCERTAIN");
        Await.until("the line is down", () -> !channel.status(client).helperConnected());
        assertThat(channel.status(client).helperPid()).isZero();
    }

    @Test
    void aSecondOneIsTurnedAwayWhileTheFirstLivesAndTakenOnceItIsGone() throws IOException {
        Process first = channel.connected(client);
        try (SocketChannel second = channel.dial("control.sock")) {
            assertThat(closedByPeer(second)).isTrue();
        }
        assertThat(channel.status(client).helperPid()).isEqualTo(first.pid());
        ChannelFixture.end(first);
        Process next = channel.helper();
        channel.awaitHelper(client, next);
    }

    @Test
    void aClosedChannelLeavesNothing() throws IOException {
        channel.connected(client);
        String viewers = channel.status(client).viewerSocket();
        assertThat(Path.of(viewers)).exists();
        channel.close(client);
        assertThat(channel.directory).isEmptyDirectory();
        assertThat(Path.of(viewers)).doesNotExist();
        assertThat(supervisor.state().resolve("01234567.channels")).isEmptyDirectory();
        assertThat(channel.status(client)).isNull();
    }

    @Test
    void theSameOrderAgainKeepsTheLineAndAnotherPlaceIsRefused() {
        Process helper = channel.connected(client);
        channel.open(client, channel.order());
        channel.open(client, channel.order(List.of(7), List.of()));
        assertThat(channel.status(client).helperPid()).isEqualTo(helper.pid());
        assertThat(channel.directory.resolve("relay-7.sock")).exists();
        channel.open(client, channel.order());
        assertThat(channel.directory.resolve("relay-7.sock")).doesNotExist();
        ChannelFixture.makeDirectory(files.resolve("elsewhere"));
        ChannelOrder order = channel.order();
        assertThat(ChannelFixture.answer(client.ask(new Frame.OpenChannel(new ChannelOrder(
                        order.channelId(),
                        files.resolve("elsewhere").toString(),
                        List.of(),
                        List.of(),
                        order.refusalLog())))))
                .isEqualTo("CONFLICT");
    }

    @Test
    void aDirectoryThatIsALinkOrOpenToOthersIsRefusedAndNothingIsMade() throws IOException {
        Path real = channel.directory;
        Path link = Files.createSymbolicLink(files.resolve("link"), real);
        assertThat(openAt(link)).isEqualTo("INVALID");
        assertThat(openAt(files.resolve("missing"))).isEqualTo("INVALID");
        Path open = Files.createDirectory(files.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(openAt(open)).isEqualTo("INVALID");
        assertThat(real).isEmptyDirectory();
        assertThat(channel.status(client)).isNull();
    }

    private String openAt(Path directory) {
        ChannelOrder order = channel.order();
        return ChannelFixture.answer(client.ask(new Frame.OpenChannel(
                new ChannelOrder(order.channelId(), directory.toString(), List.of(), List.of(), order.refusalLog()))));
    }

    @Test
    void aDirectoryThatIsExchangedForALinkAfterwardsChangesNothing() throws IOException {
        channel.connected(client);
        Path moved = Files.move(channel.directory, files.resolve("moved"));
        Path target = Files.createDirectory(files.resolve("target"));
        Files.createSymbolicLink(channel.directory, target);
        Files.createFile(target.resolve("control.sock"));
        assertThat(channel.call(client, echo("a"))).contains("a");
        channel.close(client);
        assertThat(moved).isEmptyDirectory();
        assertThat(Files.exists(target.resolve("control.sock"), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
    }

    @Test
    void aPathLongerThanASocketsAddressWorks() throws IOException {
        ChannelFixture deep = new ChannelFixture(files.resolve("d".repeat(120)));
        deep.open(client, deep.order(List.of(9), List.of()));
        try (SocketChannel near =
                SocketChannel.open(java.net.UnixDomainSocketAddress.of(deepAddress(deep.directory)))) {
            Await.until("the line is up", () -> deep.status(client).helperConnected());
            assertThat(near.isConnected()).isTrue();
        }
        deep.close(client);
        assertThat(deep.directory).isEmptyDirectory();
    }

    /** A short way to the long directory's control socket. */
    private Path deepAddress(Path directory) throws IOException {
        return Files.createSymbolicLink(Path.of(files.toString(), "s"), directory)
                .resolve("control.sock");
    }

    @Test
    void somebodyElsesSocketOrFileIsNotReplaced() throws IOException {
        Files.writeString(channel.directory.resolve("proxy.sock"), "a file");
        assertThat(openAt(channel.directory)).isEqualTo("CONFLICT");
        assertThat(channel.directory.resolve("proxy.sock")).hasContent("a file");
        assertThat(channel.directory.resolve("control.sock")).doesNotExist();
    }

    @Test
    void aHostViewerAndTheHelperAreJoinedBothWaysUntilEitherEnds() throws IOException {
        channel.connected(client);
        Path socket = Path.of(channel.status(client).viewerSocket());
        assertThat(socket.toString().getBytes(StandardCharsets.UTF_8).length).isLessThan(108);
        String much = "abcdefgh".repeat(100_000);
        try (SocketChannel viewer = SocketChannel.open(java.net.UnixDomainSocketAddress.of(socket))) {
            Thread writer = Thread.ofPlatform().start(() -> write(viewer, much));
            assertThat(read(viewer, much.length())).isEqualTo(much.toUpperCase(java.util.Locale.ROOT));
            join(writer);
        }
        try (SocketChannel again = SocketChannel.open(java.net.UnixDomainSocketAddress.of(socket))) {
            write(again, "once more");
            assertThat(read(again, 9)).isEqualTo("ONCE MORE");
        }
    }

    @Test
    void aHelperThatEndsEndsItsViewers() throws IOException {
        Process helper = channel.connected(client);
        Path socket = Path.of(channel.status(client).viewerSocket());
        try (SocketChannel viewer = SocketChannel.open(java.net.UnixDomainSocketAddress.of(socket))) {
            write(viewer, "seen");
            assertThat(read(viewer, 4)).isEqualTo("SEEN");
            ChannelFixture.end(helper);
            assertThat(closedByPeer(viewer)).isTrue();
        }
    }

    @Test
    void aViewerWithoutAHelperAndAHelpersStrangersAreTurnedAway() throws IOException {
        channel.open(client, channel.order());
        Path socket = Path.of(channel.status(client).viewerSocket());
        try (SocketChannel viewer = SocketChannel.open(java.net.UnixDomainSocketAddress.of(socket))) {
            assertThat(closedByPeer(viewer)).isTrue();
        }
        Process helper = channel.helper();
        channel.awaitHelper(client, helper);
        try (SocketChannel stranger = channel.dial("viewer.sock")) {
            assertThat(closedByPeer(stranger)).isTrue();
        }
    }

    private static void write(SocketChannel channel, String text) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String read(SocketChannel channel, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes) < 0) {
                throw new IOException("ended after " + bytes.position() + " bytes");
            }
        }
        return new String(bytes.array(), StandardCharsets.US_ASCII);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
