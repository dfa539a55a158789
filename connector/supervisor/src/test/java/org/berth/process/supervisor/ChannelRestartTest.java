package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.berth.environment.ChannelStatus;
import org.berth.placement.SpawnOrder;
import org.berth.placement.StopMode;
import org.berth.process.protocol.Frame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChannelRestartTest {
    private static final String ECHO = "{\"args\":[\"echo\"],\"data\":\"a\"}";

    @TempDir
    Path files;

    private final TestSupervisor supervisor = TestSupervisor.start();
    private ChannelFixture channel;

    @BeforeEach
    void prepare() {
        channel = new ChannelFixture(files);
    }

    @AfterEach
    void end() {
        channel.close();
        supervisor.close();
    }

    private static void signal(Process process, String signal) {
        try {
            new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Path channelFiles() {
        return supervisor.state().resolve("01234567.channels");
    }

    @Test
    void aKilledSupervisorsChannelIsOpenAgainAndTheSameHelperDialsAgain() {
        Process helper;
        ChannelStatus before;
        try (TestClient client = supervisor.client()) {
            channel.open(client, channel.order(List.of(7), List.of()));
            helper = channel.helper();
            channel.awaitHelper(client, helper);
            before = channel.status(client);
        }
        supervisor.kill();
        supervisor.launch(List.of());
        try (TestClient client = supervisor.client()) {
            channel.awaitHelper(client, helper);
            assertThat(channel.status(client)).isEqualTo(before);
            assertThat(channel.call(client, ECHO)).contains("\"a\"");
            assertThat(channel.directory.resolve("relay-7.sock")).exists();
            assertThat(client.ask(new Frame.QueryChannels()))
                    .isEqualTo(new Frame.ChannelsReply(List.of(channel.order().channelId())));
        }
    }

    @Test
    void whileTheFormerHelperLivesNobodyElseTakesItsPlaceThoughItsLineWasCut() throws IOException {
        Process helper;
        try (TestClient client = supervisor.client()) {
            helper = channel.connected(client);
        }
        signal(helper, "-STOP");
        supervisor.kill();
        supervisor.launch(List.of());
        try (TestClient client = supervisor.client()) {
            try (SocketChannel impostor = channel.dial("control.sock")) {
                assertThat(impostor.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
            assertThat(channel.status(client).helperConnected()).isFalse();
            signal(helper, "-CONT");
            channel.awaitHelper(client, helper);
        }
    }

    @Test
    void aChannelClosedBeforeARestartStaysClosed() {
        try (TestClient client = supervisor.client()) {
            channel.open(client, channel.order());
            channel.close(client);
        }
        supervisor.kill();
        supervisor.launch(List.of());
        try (TestClient client = supervisor.client()) {
            assertThat(channel.status(client)).isNull();
            assertThat(channel.directory).isEmptyDirectory();
        }
    }

    @Test
    void aDamagedFileOrADirectoryThatIsGoneHoldsUpNothing() throws IOException {
        ChannelFixture other = new ChannelFixture(files.resolve("other"));
        try (TestClient client = supervisor.client()) {
            channel.open(client, channel.order());
            other.open(client, other.order());
        }
        supervisor.kill();
        Files.write(
                channelFiles().resolve(channel.order().channelId()),
                new byte[] {1, 2, 3},
                StandardOpenOption.TRUNCATE_EXISTING);
        Files.move(other.directory, files.resolve("moved"));
        Files.createSymbolicLink(other.directory, files.resolve("moved"));
        supervisor.launch(List.of());
        try (TestClient client = supervisor.client()) {
            assertThat(client.ask(new Frame.QueryChannels())).isEqualTo(new Frame.ChannelsReply(List.of()));
            channel.open(client, channel.order());
            channel.close(client);
            other.close(client);
            assertThat(channelFiles()).isEmptyDirectory();
        }
        assertThat(supervisor.output()).contains(other.order().channelId() + " could not be opened again");
    }

    @Test
    void aRetiredSupervisorStaysUntilItsLastChannelIsClosed() {
        SpawnOrder order = Orderly.sh("sleep 300").order();
        try (TestClient client = supervisor.client()) {
            client.subscribe();
            client.started(order);
            channel.open(client, channel.order());
            client.ask(new Frame.Retire());
            client.stop(order, StopMode.FORCED, 0);
            client.exit(order);
            assertThat(client.ask(new Frame.Forget(order.attemptKey(), order.nonce())))
                    .isInstanceOf(Frame.Done.class);
            assertThat(channel.status(client)).isNotNull();
            channel.close(client);
        }
        assertThat(supervisor.awaitEnd()).isZero();
        assertThat(channel.directory).isEmptyDirectory();
    }

    private void relaunchWith(FaultPoint point) {
        supervisor.kill();
        supervisor.launch(List.of("-Dberth.fault=" + point.wire()));
    }

    private void awaitFault() {
        assertThat(supervisor.awaitEnd()).isEqualTo(FaultPoint.STATUS);
        supervisor.launch(List.of());
    }

    @ParameterizedTest
    @EnumSource(
            value = FaultPoint.class,
            names = {"BEFORE_CHANNEL_STORED", "AFTER_CHANNEL_STORED", "AFTER_CHANNEL_OPENED"})
    void anOpeningThatBrokeOffIsWholeOrNotAtAllAndMayBeRepeated(FaultPoint point) {
        relaunchWith(point);
        try (TestClient client = supervisor.client()) {
            client.order(new Frame.OpenChannel(channel.order()));
            Await.until("the connection ended", () -> client.ended);
        }
        awaitFault();
        try (TestClient client = supervisor.client()) {
            assertThat(channel.status(client) == null).isEqualTo(point == FaultPoint.BEFORE_CHANNEL_STORED);
            Process helper = channel.connected(client);
            assertThat(helper.isAlive()).isTrue();
            assertThat(channel.call(client, ECHO)).contains("\"a\"");
        }
    }

    @Test
    void aHelperIsOnTheLineOnlyOnceItIsRecorded() throws IOException {
        relaunchWith(FaultPoint.AFTER_CHANNEL_HELPER_STORED);
        Process helper;
        try (TestClient client = supervisor.client()) {
            channel.open(client, channel.order());
            helper = channel.helper();
            Await.until("the connection ended", () -> client.ended);
            signal(helper, "-STOP");
        }
        awaitFault();
        try (TestClient client = supervisor.client()) {
            try (SocketChannel impostor = channel.dial("control.sock")) {
                assertThat(impostor.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
            signal(helper, "-CONT");
            channel.awaitHelper(client, helper);
        }
    }

    @Test
    void aClosingThatBrokeOffIsRepeated() {
        relaunchWith(FaultPoint.AFTER_CHANNEL_SOCKETS_REMOVED);
        try (TestClient client = supervisor.client()) {
            channel.open(client, channel.order());
            client.order(new Frame.CloseChannel(channel.order().channelId()));
            Await.until("the connection ended", () -> client.ended);
        }
        awaitFault();
        try (TestClient client = supervisor.client()) {
            assertThat(channel.status(client)).isNotNull();
            channel.close(client);
            assertThat(channel.directory).isEmptyDirectory();
            assertThat(channelFiles()).isEmptyDirectory();
        }
    }
}
