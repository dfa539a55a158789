package org.berth.guest.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UnixConnectionTest {
    @TempDir
    private Path directory;

    @Test
    void aDialledConnectionCarriesBytesBothWaysAndKnowsItsPeer() throws Exception {
        try (UnixListener listener = UnixListener.open(socket())) {
            CompletableFuture<UnixConnection> accepted = accepted(listener);
            try (UnixConnection here = UnixConnection.dial(socket());
                    UnixConnection there = accepted.get()) {
                assertThat(here.peer()).isEqualTo(ProcessHandle.current().pid());
                assertThat(there.peer()).isEqualTo(ProcessHandle.current().pid());

                here.write(bytes("question"));
                assertThat(read(there)).isEqualTo("question");
                there.write(bytes("answer"));
                assertThat(read(here)).isEqualTo("answer");
            }
        }
    }

    @Test
    void itEndsWhenTheOtherSideCloses() throws Exception {
        try (UnixListener listener = UnixListener.open(socket())) {
            CompletableFuture<UnixConnection> accepted = accepted(listener);
            try (UnixConnection here = UnixConnection.dial(socket())) {
                accepted.get().close();
                assertThat(here.read(ByteBuffer.allocate(10))).isEqualTo(-1);
            }
        }
    }

    @Test
    void aDialThatNobodyAnswersFailsAndLeavesNoDescriptorOpen() throws IOException {
        UnixListener.open(socket()).close();
        assertThatThrownBy(() -> UnixConnection.dial(socket())).isInstanceOf(IOException.class);
        long before = descriptors();
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> UnixConnection.dial(socket()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(socket().toString());
        }
        assertThat(descriptors()).isLessThan(before + 20);
    }

    @Test
    void aPathThatNoAddressHoldsIsRefused() {
        assertThatThrownBy(() -> UnixConnection.dial(directory.resolve("x".repeat(108))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("at most 107 bytes");
    }

    private Path socket() {
        return directory.resolve("s");
    }

    private static CompletableFuture<UnixConnection> accepted(UnixListener listener) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return listener.accept();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> Thread.ofPlatform().daemon().start(task));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String read(UnixConnection from) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(100);
        from.read(into);
        return new String(into.array(), 0, into.position(), StandardCharsets.US_ASCII);
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}
