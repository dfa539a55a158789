package org.berth.acceptance.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import org.berth.acceptance.Api;
import org.berth.acceptance.BerthServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept of an output, counted to the byte. Source: harness.md, S2. */
class SessionOutputIT {
    private static final int SOME_BYTES = 300_000;

    private final BerthServer server = BerthServer.shared();
    private final Api api = server.api();
    private final Path directory = server.directory("output");

    private Session session(long bytes, long lines, String keep) {
        return Session.open(
                api, directory, "truncation", Map.of("on", Map.of("bytes", bytes, "lines", lines, "keep", keep)));
    }

    /** Commands wait long enough here, whatever else the machine does. */
    private static Map<String, Object> run(Session session, String command) {
        Map<String, Object> answer = session.bash(command).json();
        assertThat(answer).containsEntry("exitCode", 0L);
        return answer;
    }

    @ParameterizedTest
    @CsvSource({"head,0", "head,1", "head,51200", "head,299999", "tail,0", "tail,1", "tail,51200", "tail,299999"})
    void keptAndDroppedAreExactAndTheArtifactHoldsEveryByte(String keep, int bytes) throws Exception {
        Map<String, Object> answer = run(
                session(bytes, Integer.MAX_VALUE, keep), "head -c " + SOME_BYTES + " /dev/urandom > bytes; cat bytes");
        byte[] whole = Files.readAllBytes(directory.resolve("bytes"));

        assertThat(answer).containsEntry("keptBytes", (long) bytes).containsEntry("droppedBytes", (long)
                (SOME_BYTES - bytes));
        assertThat(Session.kept(answer))
                .isEqualTo(
                        keep.equals("head")
                                ? Arrays.copyOf(whole, bytes)
                                : Arrays.copyOfRange(whole, SOME_BYTES - bytes, SOME_BYTES));
        assertArtifact(answer, whole);
    }

    private static void assertArtifact(Map<String, Object> answer, byte[] whole) throws Exception {
        Path artifact = Path.of((String) answer.get("artifact"));
        assertThat(artifact).hasBinaryContent(whole);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(artifact)))
                .isEqualTo("rw-------");
    }

    @ParameterizedTest
    @CsvSource({"head,300000", "tail,300000", "head,300001", "tail,1000000"})
    void aCapDropsNothingFromOutputThatFits(String keep, long bytes) throws Exception {
        Map<String, Object> answer = run(
                session(bytes, Integer.MAX_VALUE, keep), "head -c " + SOME_BYTES + " /dev/urandom > bytes; cat bytes");
        assertThat(answer).containsEntry("droppedBytes", 0L).containsEntry("artifact", null);
        assertThat(Session.kept(answer)).isEqualTo(Files.readAllBytes(directory.resolve("bytes")));
    }

    @Test
    void offKeepsEverything() throws Exception {
        Map<String, Object> answer = run(
                Session.open(api, directory, "truncation", "off"),
                "head -c " + SOME_BYTES + " /dev/urandom > bytes; cat bytes");
        assertThat(answer)
                .containsEntry("keptBytes", (long) SOME_BYTES)
                .containsEntry("droppedBytes", 0L)
                .containsEntry("artifact", null);
        assertThat(Session.kept(answer)).isEqualTo(Files.readAllBytes(directory.resolve("bytes")));
    }

    @Test
    void linesAreCountedToo() throws Exception {
        String whole = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";
        Map<String, Object> head = run(session(1000, 3, "head"), "seq 12");
        assertThat(head).containsEntry("output", "1\n2\n3\n").containsEntry("droppedBytes", 21L);
        assertArtifact(head, whole.getBytes(StandardCharsets.UTF_8));
        Map<String, Object> tail = run(session(1000, 3, "tail"), "seq 12");
        assertThat(tail).containsEntry("output", "10\n11\n12\n").containsEntry("droppedBytes", 18L);
        assertArtifact(tail, whole.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aCutNeverSplitsACharacterOfTheTextAndTheBytesStayExact() {
        Map<String, Object> head = run(session(4, 10, "head"), "printf 'a\\303\\251\\342\\202\\254'");
        assertThat(head).containsEntry("output", "aé").containsEntry("keptBytes", 4L);
        assertThat(Session.kept(head)).isEqualTo(new byte[] {'a', (byte) 0xc3, (byte) 0xa9, (byte) 0xe2});
        Map<String, Object> tail = run(session(4, 10, "tail"), "printf 'a\\303\\251\\342\\202\\254'");
        assertThat(tail).containsEntry("output", "€").containsEntry("keptBytes", 4L);
        assertThat(Session.kept(tail)).isEqualTo(new byte[] {(byte) 0xa9, (byte) 0xe2, (byte) 0x82, (byte) 0xac});
    }

    @Test
    void aDetachedCommandCountsWhatItWroteBefore() throws Exception {
        Session session = Session.open(
                api,
                directory,
                "toolBlockingBudgetMs",
                1_000L,
                "truncation",
                Map.of("on", Map.of("bytes", 10L, "lines", 100L, "keep", "head")));
        String job = session.bash("seq 1000; while [ ! -e go ]; do sleep 0.1; done; seq 1000")
                .text("detached", "job");
        session.bash("touch go");
        Map<String, Object> answer = session.awaitEnd(job).json();
        byte[] once = Files.readAllBytes(seq());

        assertThat(answer)
                .containsEntry("output", "1\n2\n3\n4\n5\n")
                .containsEntry("keptBytes", 10L)
                .containsEntry("droppedBytes", 2L * once.length - 10);
        byte[] whole = Arrays.copyOf(once, 2 * once.length);
        System.arraycopy(once, 0, whole, once.length, once.length);
        assertArtifact(answer, whole);
    }

    private Path seq() {
        Session.open(api, directory).bash("seq 1000 > seq");
        return directory.resolve("seq");
    }
}
