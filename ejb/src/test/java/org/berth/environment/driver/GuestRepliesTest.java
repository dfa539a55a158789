package org.berth.environment.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.environment.GuestFile;
import org.berth.environment.NativeObservation;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuestRepliesTest {
    private static byte[] json(String text) {
        return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "environment_projection_conflict, ENVIRONMENT_PROJECTION_CONFLICT",
        "environment_symlink, ENVIRONMENT_SYMLINK",
        "environment_of_tomorrow, ENVIRONMENT_GUEST_REFUSED",
        "UNAUTHENTICATED, ENVIRONMENT_GUEST_REFUSED",
        "activity_grant_revoked, ENVIRONMENT_GUEST_REFUSED"
    })
    void a_refusal_keeps_the_guests_code_where_it_is_one_of_environments(String wire, ProblemCode code) {
        refused(() -> GuestReplies.done(json("{'ok':false,'code':'" + wire + "'}")), code);
    }

    @Test
    void what_is_no_reply_confirms_nothing() {
        refused(() -> GuestReplies.done(json("ok")), ProblemCode.ENVIRONMENT_GUEST_UNCONFIRMED);
        refused(() -> GuestReplies.done(json("{}")), ProblemCode.ENVIRONMENT_GUEST_REFUSED);
        refused(() -> GuestReplies.done(json("{'ok':'true'}")), ProblemCode.ENVIRONMENT_GUEST_REFUSED);
    }

    @Test
    void a_files_bytes_must_be_whole() {
        String digest = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
        assertThat(GuestReplies.content(Map.of("base64", "Zm9v", "sha256", digest)))
                .asString()
                .isEqualTo("foo");
        refused(
                () -> GuestReplies.content(Map.of("base64", "Zm9w", "sha256", digest)),
                ProblemCode.ENVIRONMENT_FILE_INVALID);
        refused(
                () -> GuestReplies.content(Map.of("base64", "%", "sha256", digest)),
                ProblemCode.ENVIRONMENT_FILE_INVALID);
        refused(() -> GuestReplies.content(Map.of("sha256", digest)), ProblemCode.ENVIRONMENT_FILE_INVALID);
    }

    @Test
    void an_exit_code_is_told_only_of_a_native_that_ended() {
        Map<String, Object> ended =
                Map.of("running", false, "nativeId", "n", "generation", "g", "pid", 7L, "exitCode", 3L);
        assertThat(GuestReplies.identity(ended)).isEqualTo(new NativeObservation("n", "g", false, 7, 3));
        Map<String, Object> running =
                Map.of("running", true, "nativeId", "n", "generation", "g", "pid", 7L, "exitCode", 3L);
        assertThat(GuestReplies.identity(running)).isEqualTo(new NativeObservation("n", "g", true, 7, null));
        refused(() -> GuestReplies.identity(Map.of("running", true)), ProblemCode.ENVIRONMENT_NATIVE_UNCONFIRMED);
    }

    @Test
    void a_checkpoint_is_exactly_one_file_below_the_root() {
        Map<String, Object> file = Map.of("path", "native/a.jsonl", "sha256", "a".repeat(64), "bytes", 9L);
        assertThat(GuestReplies.checkpoint(Map.of("files", List.of(file))))
                .containsExactly(new GuestFile("native/a.jsonl", "a".repeat(64), 9));
        refused(
                () -> GuestReplies.checkpoint(Map.of("files", List.of(file, file))),
                ProblemCode.ENVIRONMENT_CHECKPOINT_INVALID);
        refused(() -> GuestReplies.checkpoint(Map.of("files", List.of())), ProblemCode.ENVIRONMENT_CHECKPOINT_INVALID);
        refused(
                () -> GuestReplies.checkpoint(
                        Map.of("files", List.of(Map.of("path", "../a", "sha256", "a".repeat(64), "bytes", 9L)))),
                ProblemCode.INVALID_ENVIRONMENT_PATH);
    }

    @Property
    void any_bytes_are_a_reply_or_a_refusal(@ForAll byte[] bytes) {
        try {
            assertThat(GuestReplies.done(bytes)).containsEntry("ok", true);
        } catch (BerthException e) {
            assertThat(e.code().wire()).startsWith("environment_guest_");
        }
    }

    private static void refused(ThrowingCallable call, ProblemCode code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }
}
