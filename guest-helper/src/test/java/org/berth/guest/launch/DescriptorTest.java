package org.berth.guest.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.berth.guest.Refused;
import org.berth.guest.Refused.Code;
import org.berth.guest.files.GuestFiles;
import org.berth.guest.json.Json;
import org.berth.guest.request.Digest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescriptorTest {
    private static final String ID = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
    private static final String HISTORY = "native/projects/-sandbox-openrig-work/" + ID + ".jsonl";
    private static final String ROW = "{\"sessionId\":\"" + ID + "\",\"type\":\"user\"}\n";

    @TempDir
    Path directory;

    private final Map<String, Object> tree = new HashMap<>();
    private final Map<String, Object> checkpoint = new HashMap<>();
    private Path root;

    @BeforeEach
    void makeTree() throws IOException {
        root = directory.toRealPath();
        tree.putAll(Map.of("version", 1L, "bindingId", "b", "generation", "g", "nativeId", ID, "files", List.of()));
        checkpoint.putAll(Map.of("nativeId", ID, "nativeType", Descriptor.NATIVE_TYPE));
        checkpoint.put("files", List.of(file(HISTORY, ROW)));
    }

    private Map<String, Object> file(String path, String text) throws IOException {
        Files.createDirectories(root.resolve(path).getParent());
        Files.writeString(root.resolve(path), text);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Map.of("path", path, "bytes", (long) bytes.length, "sha256", Digest.of(bytes));
    }

    private Descriptor verify() throws IOException {
        Files.createDirectories(root.resolve("control"));
        Files.write(root.resolve("control/launch.json"), Json.write(tree));
        return Descriptor.verified(new GuestFiles(root.toString()), Descriptor.PUBLISHED);
    }

    private void refused(Code code) {
        assertThatThrownBy(this::verify)
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.code()).isEqualTo(code));
    }

    private void resume() {
        tree.put("resumeToken", ID);
        tree.put("nativeType", Descriptor.NATIVE_TYPE);
        tree.put("checkpoint", checkpoint);
    }

    @Test
    void everyListedFileIsVerified() throws IOException {
        tree.put("files", List.of(file("work/role.md", "role")));
        assertThat(verify().resumes()).isFalse();
        Files.writeString(root.resolve("work/role.md"), "rule");
        refused(Code.PROJECTION_CHANGED);
        Files.delete(root.resolve("work/role.md"));
        refused(Code.FILE_MISSING);
        Files.createSymbolicLink(root.resolve("work/role.md"), root.resolve("work/other"));
        refused(Code.SYMLINK);
        tree.put("files", List.of(Map.of("path", "../x", "bytes", 1L, "sha256", "")));
        refused(Code.PATH_INVALID);
    }

    @Test
    void anUnknownVersionOrAMissingNameIsRefused() throws IOException {
        for (Map.Entry<String, Object> wrong : Map.<String, Object>of("version", 2L, "bindingId", "", "generation", "")
                .entrySet()) {
            Object right = tree.put(wrong.getKey(), wrong.getValue());
            refused(Code.DESCRIPTOR_INVALID);
            tree.put(wrong.getKey(), right);
        }
        for (String id : List.of(ID.toUpperCase(java.util.Locale.ROOT), ID + "0", "../" + ID.substring(3), "")) {
            tree.put("nativeId", id);
            refused(Code.NATIVE_IDENTITY_INVALID);
        }
        tree.remove("files");
        assertThatThrownBy(this::verify).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aResumeNeedsItsExactHistory() throws IOException {
        resume();
        assertThat(verify().resumes()).isTrue();
        Files.writeString(root.resolve(HISTORY), ROW + ROW);
        refused(Code.CHECKPOINT_CHANGED);
        Files.delete(root.resolve(HISTORY));
        refused(Code.FILE_MISSING);
    }

    @Test
    void aResumeWithoutFilesIsRefused() {
        resume();
        checkpoint.put("files", List.of());
        refused(Code.CHECKPOINT_INVALID);
        tree.put("checkpoint", "none");
        refused(Code.CHECKPOINT_INVALID);
        tree.remove("checkpoint");
        refused(Code.CHECKPOINT_INVALID);
    }

    @Test
    void aResumeWithTooManyFilesIsRefused() throws IOException {
        resume();
        List<Object> files = new ArrayList<>(List.of(file(HISTORY, ROW)));
        Map<String, Object> artifact = file("work/artifacts/a", "a");
        while (files.size() < 129) {
            files.add(artifact);
        }
        checkpoint.put("files", files);
        assertThat(verify().nativeId()).isEqualTo(ID);
        files.add(artifact);
        refused(Code.CHECKPOINT_INVALID);
    }

    @Test
    void aResumeOfAnotherIdentityIsRefused() throws IOException {
        resume();
        tree.put("resumeToken", ID.replace('a', 'f'));
        refused(Code.NATIVE_IDENTITY_INVALID);
        resume();
        tree.put("nativeType", "other");
        refused(Code.NATIVE_IDENTITY_INVALID);
        resume();
        checkpoint.put("nativeType", "other");
        refused(Code.CHECKPOINT_IDENTITY_MISMATCH);
        checkpoint.put("nativeType", Descriptor.NATIVE_TYPE);
        checkpoint.put("files", List.of(file(HISTORY, ROW), file("native/projects/x/" + ID + ".jsonl", ROW)));
        refused(Code.CHECKPOINT_IDENTITY_MISMATCH);
        checkpoint.put("files", List.of(file("native/projects/x/other.jsonl", ROW)));
        refused(Code.CHECKPOINT_IDENTITY_MISMATCH);
        checkpoint.put("files", List.of(file("work/a", "a")));
        refused(Code.CHECKPOINT_IDENTITY_MISMATCH);
    }

    @Test
    void aHistoryBelongsToItsConversationRowByRow() throws IOException {
        resume();
        String foreign = ROW.replace("aaaaaaaa", "ffffffff");
        for (String wrong : List.of(
                ROW + foreign,
                "{\"sessionId\":\"" + ID + "\",\"type\":\"summary\"}\n",
                "{\"type\":\"user\"}\n",
                ROW + "{\"sessionId\":null,\"type\":\"user\"}\n")) {
            checkpoint.put("files", List.of(file(HISTORY, wrong)));
            refused(Code.CHECKPOINT_IDENTITY_MISMATCH);
        }
        checkpoint.put("files", List.of(file(HISTORY, "{\"type\":\"summary\"}\n" + ROW)));
        assertThat(verify().nativeId()).isEqualTo(ID);
        checkpoint.put("files", List.of(file(HISTORY, ROW + "not json\n")));
        assertThatThrownBy(this::verify).isInstanceOf(IllegalArgumentException.class);
    }
}
