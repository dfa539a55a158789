package org.berth.cli.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.berth.cli.Settings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Patience;
import org.berth.cli.output.Progress;
import org.berth.cli.testing.ScriptedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StreamClientTest {
    /** Well below the 20 s after which a quiet connection is asked for a sign of life. */
    private static final int AT_ONCE_SECONDS = 10;

    @Test
    void leaving_a_quiet_stream_ends_the_following_at_once() throws Exception {
        try (ScriptedServer server = new ScriptedServer()) {
            server.stream(peer -> {
                peer.output(3, 1, "prompt");
                while (peer.receive() != null) {
                    // whatever the client says, nothing more is answered
                }
            });
            ApiClient api = new ApiClient(new Settings(server.url(), null, 0, "secret"), Progress.Source.none());
            CompletableFuture<String> shown = new CompletableFuture<>();
            OutputSink sink = new OutputSink() {
                @Override
                public void output(OutputStreamName stream, long sequence, byte[] data) {
                    shown.complete(new String(data, StandardCharsets.UTF_8));
                }

                @Override
                public void readerGone() {}
            };
            Patience patience = new Patience(Duration.ofSeconds(1), Progress.Source.none());
            try (StreamClient stream = new StreamClient(api, "a1", 1, true, sink, patience)) {
                stream.connect();
                CompletableFuture<Ending> ending = CompletableFuture.supplyAsync(stream::follow);
                assertThat(shown.get(AT_ONCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("prompt");

                stream.leave();

                assertThat(ending.get(AT_ONCE_SECONDS, TimeUnit.SECONDS)).isInstanceOf(Ending.Left.class);
            }
            assertThat(server.faults()).isEmpty();
        }
    }
}
