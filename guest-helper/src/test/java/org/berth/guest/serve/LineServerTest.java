package org.berth.guest.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LineServerTest {
    private static final String REFUSED = "\"reply\":{\"ok\":false,\"code\":\"environment_guest_unconfirmed\"}}";

    private final List<List<String>> asked = new ArrayList<>();

    private List<String> serve(String lines) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new LineServer(
                        Channels.newChannel(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8))),
                        Channels.newChannel(out),
                        (arguments, data) -> {
                            asked.add(arguments);
                            return Map.of("bytes", data == null ? -1L : data.length);
                        })
                .run();
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void requestsAreAnsweredInOrderUnderTheirNumbers() throws IOException {
        assertThat(serve("{\"id\":7,\"args\":[\"--read\",\"a\"]}\n{\"id\":3,\"args\":[],\"data\":\"eHl6\"}\n"))
                .containsExactly("{\"id\":7,\"reply\":{\"bytes\":-1}}", "{\"id\":3,\"reply\":{\"bytes\":3}}");
        assertThat(asked).containsExactly(List.of("--read", "a"), List.of());
    }

    @Test
    void whatIsNoRequestIsRefusedAndTheNextIsAnswered() throws IOException {
        List<String> replies =
                serve("nonsense\n\n{\"id\":1}\n{\"id\":2,\"args\":[1]}\n{\"id\":3,\"args\":[],\"data\":\"%\"}\n"
                        + "{\"id\":\"x\",\"args\":[]}\n{\"id\":4,\"args\":[]}\n");
        assertThat(replies)
                .containsExactly(
                        "{\"id\":null," + REFUSED,
                        "{\"id\":null," + REFUSED,
                        "{\"id\":1," + REFUSED,
                        "{\"id\":2," + REFUSED,
                        "{\"id\":3," + REFUSED,
                        "{\"id\":null,\"reply\":{\"bytes\":-1}}",
                        "{\"id\":4,\"reply\":{\"bytes\":-1}}");
    }

    @Test
    void aLineUpToItsBoundIsTakenAndALongerOneIsRefused() throws IOException {
        String head = "{\"id\":1,\"args\":[\"";
        String tail = "\"]}";
        String most = "x".repeat(LineServer.MAX_LINE - head.length() - tail.length());
        assertThat(serve(head + most + tail + "\n" + head + "y" + tail + "\n"))
                .containsExactly("{\"id\":1,\"reply\":{\"bytes\":-1}}", "{\"id\":1,\"reply\":{\"bytes\":-1}}");
        assertThat(serve(head + most + most + most + tail + "\n" + head + "y" + tail + "\n"))
                .containsExactly("{\"id\":null," + REFUSED, "{\"id\":1,\"reply\":{\"bytes\":-1}}");
    }

    @Test
    void aLineWithoutItsEndIsNotARequest() throws IOException {
        assertThat(serve("{\"id\":1,\"args\":[]}")).isEmpty();
        assertThat(asked).isEmpty();
    }
}
