package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.acceptance.LaunchRequests.aLaunch;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The server comes up, runs a command and says what happened. */
class ServerIT {
    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();

    @Test
    void runsACommandAndKeepsItsStreamsApart() {
        String id = api.prepared(aLaunch().script("echo hi; echo err >&2; exit 7"));
        try (StreamClient stream = StreamClient.attach(api, id)) {
            api.start(id).expect(200);
            stream.awaitEnds(StreamClient.STDOUT, StreamClient.STDERR);

            assertThat(stream.text(StreamClient.STDOUT)).isEqualTo("hi\n");
            assertThat(stream.text(StreamClient.STDERR)).isEqualTo("err\n");
            assertThat(stream.awaitExit()).containsEntry("code", 7L);
        }
        assertThat(api.awaitExit(id)).isEqualTo(Map.of("code", 7L));
        assertThat(api.cleanUp(id).expect(200).at("cleanup_state")).isEqualTo("complete");
        assertThat(api.evidenceKinds(id)).contains("child.started", "child.exited", "cleanup.complete");
    }

    @Test
    void runsAsAnOrdinaryUserWhereTheTestsAreRoot() throws Exception {
        assertThat(java.nio.file.Files.getAttribute(java.nio.file.Path.of("/proc/" + server.pid()), "unix:uid"))
                .isEqualTo(server.user());
    }
}
