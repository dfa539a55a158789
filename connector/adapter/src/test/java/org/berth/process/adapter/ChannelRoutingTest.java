package org.berth.process.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.process.adapter.AdapterFixture.await;
import static org.berth.process.adapter.AdapterFixture.get;
import static org.berth.process.adapter.AdapterFixture.problem;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.environment.ChannelOrder;
import org.berth.environment.CommandOrder;
import org.berth.environment.CommandOutcome;
import org.berth.environment.GuestChannels;
import org.berth.environment.HostCommands;
import org.berth.problem.ProblemCode;
import org.berth.process.protocol.Frame;
import org.berth.process.protocol.FrameCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChannelRoutingTest {
    private static final byte[] REQUEST = "{\"args\":[]}".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path root;

    private AdapterFixture fixture;

    @BeforeEach
    void prepare() throws Exception {
        fixture = new AdapterFixture(root);
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    private GuestChannels channels() {
        return fixture.adapter.ports().channels();
    }

    private HostCommands commands() {
        return fixture.adapter.ports().commands();
    }

    private static ChannelOrder channel(String id) {
        return new ChannelOrder(id, "/d", List.of(), List.of(), "/log");
    }

    private static CommandOrder command(byte[] stdin) {
        return new CommandOrder("/bin/true", List.of(), Map.of(), "/", stdin, 100, 100);
    }

    @Test
    void aChannelBelongsToTheSupervisorThatOpenedItAndANewOneToOurs() throws Exception {
        try (FakeSupervisor own = fixture.ownSupervisor();
                FakeSupervisor older = new FakeSupervisor(fixture.socket("0000aaaa"), "older")) {
            older.channels.add("old");
            fixture.startConnected(2);

            get(channels().open(channel("new")));
            get(channels().open(channel("old")));
            assertThat(get(channels().call("old", REQUEST, 1000))).isEqualTo(REQUEST);
            assertThat(get(channels().status("old")).viewerSocket()).isEqualTo("/v-older.sock");
            assertThat(get(channels().status("new")).viewerSocket()).isEqualTo("/v-own.sock");
            assertThat(get(channels().status("none"))).isNull();
            assertThat(own.channels).containsExactly("new");
            assertThat(older.channels).containsExactly("old");

            get(channels().close("old"));
            assertThat(older.channels).isEmpty();
            get(channels().open(channel("old")));
            assertThat(own.channels).containsExactlyInAnyOrder("new", "old");
        }
    }

    @Test
    void whileAnOlderSupervisorIsAwayItsChannelIsNotAnsweredForByOurs() throws Exception {
        try (FakeSupervisor own = fixture.ownSupervisor();
                FakeSupervisor older = new FakeSupervisor(fixture.socket("0000aaaa"), "older")) {
            older.channels.add("old");
            fixture.startConnected(2);
            older.on(Frame.Hello.class, (c, order) -> FakeSupervisor.SILENCE);
            older.dropConnections();
            await("lost", () -> fixture.processes().supervisors().size() == 1);

            assertThat(problem(channels().status("old"))).isEqualTo(ProblemCode.UNAVAILABLE);
            assertThat(problem(channels().call("old", REQUEST, 1000))).isEqualTo(ProblemCode.UNAVAILABLE);
            assertThat(problem(channels().open(channel("old")))).isEqualTo(ProblemCode.UNAVAILABLE);
            assertThat(own.channels).isEmpty();
        }
    }

    @Test
    void aCallOrCommandWhoseReplyIsLostIsUncertainAndAStatusMayBeAskedAgain() throws Exception {
        try (FakeSupervisor own = fixture.ownSupervisor()) {
            fixture.startConnected(1);
            own.on(Frame.CallChannel.class, (connection, order) -> {
                connection.close();
                return FakeSupervisor.SILENCE;
            });
            assertThat(problem(channels().call("a", REQUEST, 1000))).isEqualTo(ProblemCode.UNCERTAIN);
            await("reconnected", () -> !fixture.processes().supervisors().isEmpty());
            own.on(Frame.QueryChannel.class, (connection, order) -> {
                connection.close();
                return FakeSupervisor.SILENCE;
            });
            assertThat(problem(channels().status("a"))).isEqualTo(ProblemCode.UNAVAILABLE);
            await("reconnected", () -> !fixture.processes().supervisors().isEmpty());
            own.on(Frame.Run.class, (connection, order) -> {
                connection.close();
                return FakeSupervisor.SILENCE;
            });
            assertThat(problem(commands().run(command(null)))).isEqualTo(ProblemCode.UNCERTAIN);
        }
    }

    @Test
    void aCommandGoesToOurOwnSupervisorAndItsOutcomeComesBack() throws Exception {
        CommandOutcome outcome = new CommandOutcome(3, new byte[] {1}, new byte[] {2}, false, false);
        try (FakeSupervisor own = fixture.ownSupervisor();
                FakeSupervisor older = new FakeSupervisor(fixture.socket("0000aaaa"), "older")) {
            own.on(Frame.Run.class, (c, order) -> new Frame.RunReply(outcome));
            fixture.startConnected(2);
            assertThat(get(commands().run(command(new byte[] {9}))))
                    .usingRecursiveComparison()
                    .isEqualTo(outcome);
            assertThat(own.received(Frame.Run.class).getFirst().order().stdin()).containsExactly(9);
            assertThat(older.received(Frame.Run.class)).isEmpty();
        }
    }

    @Test
    void whatCannotBeSentIsInvalidAndWithoutASupervisorUnavailable() throws Exception {
        fixture.start();
        assertThat(problem(commands().run(command(null)))).isEqualTo(ProblemCode.UNAVAILABLE);
        assertThat(problem(channels().open(channel("a")))).isEqualTo(ProblemCode.UNAVAILABLE);
        try (FakeSupervisor own = fixture.ownSupervisor()) {
            await("connected", () -> !fixture.processes().supervisors().isEmpty());
            byte[] tooMuch = new byte[FrameCodec.MAX_FRAME_BYTES];
            assertThat(problem(commands().run(command(tooMuch)))).isEqualTo(ProblemCode.INVALID);
            assertThat(problem(channels().call("a", tooMuch, 1000))).isEqualTo(ProblemCode.INVALID);
            assertThat(own.received(Frame.Run.class)).isEmpty();
        }
    }
}
