package org.berth.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

class CheckpointRulesTest {
    private static final String NATIVE = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
    private static final String PATH = "native/projects/-sandbox-openrig-work/" + NATIVE + ".jsonl";
    private static final String HASH = "0".repeat(64);
    private static final int MIB = 1_048_576;

    @Property
    void a_history_of_one_byte_to_one_mebibyte_at_the_conversations_own_place_is_taken(
            @ForAll @IntRange(min = 1, max = MIB) int bytes) {
        GuestFile file = new GuestFile(PATH, HASH, bytes);
        assertThat(CheckpointRules.history(List.of(file), NATIVE)).isSameAs(file);
    }

    @Property
    void any_number_of_histories_but_one_is_refused(@ForAll @IntRange(max = 5) int count) {
        List<GuestFile> files = Collections.nCopies(count == 1 ? 2 : count, new GuestFile(PATH, HASH, 1));
        assertThat(code(() -> CheckpointRules.history(files, NATIVE)))
                .isEqualTo(ProblemCode.ENVIRONMENT_CHECKPOINT_INVALID);
    }

    @Example
    void a_history_elsewhere_empty_too_large_or_unhashed_is_refused() {
        for (GuestFile file : List.of(
                new GuestFile("work/" + NATIVE + ".jsonl", HASH, 1),
                new GuestFile("native/projects/a/other.jsonl", HASH, 1),
                new GuestFile("native/projects/" + NATIVE, HASH, 1),
                new GuestFile("native/projects/../" + NATIVE + ".jsonl", HASH, 1),
                new GuestFile("/" + PATH, HASH, 1),
                new GuestFile(null, HASH, 1),
                new GuestFile(PATH, HASH, 0),
                new GuestFile(PATH, HASH, -1),
                new GuestFile(PATH, HASH, MIB + 1),
                new GuestFile(PATH, "0", 1),
                new GuestFile(PATH, null, 1))) {
            assertThat(code(() -> CheckpointRules.history(List.of(file), NATIVE)))
                    .as("%s", file)
                    .isEqualTo(ProblemCode.ENVIRONMENT_CHECKPOINT_INVALID);
        }
    }

    @Property
    void whatever_is_appended_later_the_frozen_prefix_is_the_same(
            @ForAll @Size(min = 1, max = 200) byte[] frozen, @ForAll @Size(max = 200) byte[] later) {
        byte[] grown = Arrays.copyOf(frozen, frozen.length + later.length);
        System.arraycopy(later, 0, grown, frozen.length, later.length);
        assertThat(CheckpointRules.prefix(grown, file(frozen))).isEqualTo(frozen);
    }

    @Property
    void a_prefix_that_was_cut_or_changed_is_refused(
            @ForAll @Size(min = 1, max = 200) byte[] frozen, @ForAll @IntRange(max = 199) int at) {
        byte[] cut = Arrays.copyOf(frozen, frozen.length - 1);
        byte[] changed = frozen.clone();
        changed[at % frozen.length] ^= 1;
        assertThat(code(() -> CheckpointRules.prefix(cut, file(frozen))))
                .isEqualTo(ProblemCode.ENVIRONMENT_CHECKPOINT_CHANGED);
        assertThat(code(() -> CheckpointRules.prefix(changed, file(frozen))))
                .isEqualTo(ProblemCode.ENVIRONMENT_CHECKPOINT_CHANGED);
    }

    /** A line of the test's history: what it says of the conversation. */
    enum Line {
        USER,
        ASSISTANT,
        SUMMARY,
        UNNAMED,
        OTHER,
        NUMBER,
        BROKEN
    }

    @Property
    void a_history_is_taken_when_the_conversation_speaks_in_it_and_nothing_else_stands_in_it(
            @ForAll @Size(max = 8) List<Line> lines) {
        ProblemCode expected;
        if (lines.stream().noneMatch(line -> line == Line.USER || line == Line.ASSISTANT)) {
            expected = lines.isEmpty()
                    ? ProblemCode.ENVIRONMENT_CHECKPOINT_INCOMPLETE
                    : ProblemCode.ENVIRONMENT_CHECKPOINT_IDENTITY_MISMATCH;
        } else if (lines.contains(Line.BROKEN)) {
            expected = ProblemCode.ENVIRONMENT_CHECKPOINT_INVALID;
        } else if (lines.contains(Line.OTHER) || lines.contains(Line.NUMBER)) {
            expected = ProblemCode.ENVIRONMENT_CHECKPOINT_IDENTITY_MISMATCH;
        } else {
            expected = null;
        }
        ThrowingCallable check = () -> CheckpointRules.requireHistory(text(lines), NATIVE, CheckpointRulesTest::read);
        if (expected == null) {
            assertThatCode(check).doesNotThrowAnyException();
        } else {
            assertThat(code(check)).isEqualTo(expected);
        }
    }

    @Property
    void half_a_record_at_the_end_is_incomplete_whatever_stands_before(@ForAll @Size(max = 8) List<Line> lines) {
        byte[] whole = text(lines);
        byte[] half = Arrays.copyOf(whole, whole.length + 1);
        half[whole.length] = '{';
        assertThat(code(() -> CheckpointRules.requireHistory(half, NATIVE, CheckpointRulesTest::read)))
                .isEqualTo(ProblemCode.ENVIRONMENT_CHECKPOINT_INCOMPLETE);
    }

    @Property
    void artifacts_and_context_are_bounded_in_number_and_bytes(
            @ForAll @IntRange(max = 260) int artifacts, @ForAll @IntRange(max = MIB) int bytes) {
        boolean fits = artifacts <= 128 && (long) artifacts * bytes <= 32L * MIB;
        List<EnvironmentCheckpoint.Retained> kept = Collections.nCopies(
                artifacts, new EnvironmentCheckpoint.Retained("work/artifacts/a.json", "/a", HASH, bytes, "task"));
        assertThat(passes(() -> CheckpointRules.requireBounds(kept, List.of()))).isEqualTo(fits);
        List<ProjectionReceipt> context = Collections.nCopies(
                artifacts * 32, new ProjectionReceipt("work/a", HASH, bytes, true, "/source", HASH));
        boolean contextFits = context.size() <= 4096 && (long) context.size() * bytes <= 32L * MIB;
        assertThat(passes(() -> CheckpointRules.requireBounds(List.of(), context)))
                .isEqualTo(contextFits);
    }

    @Example
    void an_artifact_outside_its_directory_is_refused() {
        EnvironmentCheckpoint.Retained outside =
                new EnvironmentCheckpoint.Retained("work/report.json", "/a", HASH, 1, "task");
        assertThat(code(() -> CheckpointRules.requireBounds(List.of(outside), List.of())))
                .isEqualTo(ProblemCode.ENVIRONMENT_CHECKPOINT_INVALID);
        assertThat(CheckpointRules.artifactPath("/sandbox/openrig", "/sandbox/openrig/work/artifacts/a.json"))
                .isEqualTo("work/artifacts/a.json");
        assertThat(code(() -> CheckpointRules.artifactPath("/sandbox/openrig", "/sandbox/other/work/artifacts/a")))
                .isEqualTo(ProblemCode.ENVIRONMENT_CHECKPOINT_CHANGED);
    }

    @Property
    void a_refusal_that_may_pass_never_ends_the_operation(@ForAll ProblemCode code) {
        if (CheckpointRules.isFinal(code, false)) {
            assertThat(CheckpointRules.isFinal(code, true)).isTrue();
        }
        assertThat(CheckpointRules.isFinal(ProblemCode.ENVIRONMENT_CHECKPOINT_INCOMPLETE, false))
                .isFalse();
        assertThat(CheckpointRules.isFinal(ProblemCode.OPENSHELL_TRANSPORT_UNCONFIRMED, true))
                .isFalse();
        assertThat(CheckpointRules.isFinal(ProblemCode.ENVIRONMENT_CHECKPOINT_IDENTITY_MISMATCH, true))
                .isTrue();
    }

    @Property
    void a_selection_reads_back_as_it_was_written(
            @ForAll @IntRange(min = 1, max = MIB) int bytes, @ForAll @IntRange(max = 3) int count) {
        CheckpointSelection selection = new CheckpointSelection(
                List.of(new GuestFile(PATH, HASH, bytes)),
                Collections.nCopies(
                        count, new EnvironmentCheckpoint.Retained("work/artifacts/a", "/a", HASH, bytes, "task")),
                Collections.nCopies(count, new ProjectionReceipt("work/a", HASH, bytes, true, "/source", HASH)));
        assertThat(CheckpointSelection.of(selection.tree())).isEqualTo(selection);
    }

    private static GuestFile file(byte[] bytes) {
        return new GuestFile(PATH, CanonicalJson.sha256(bytes), bytes.length);
    }

    private static byte[] text(List<Line> lines) {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line).append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static Optional<HistoryLine> read(String line) {
        return switch (Line.valueOf(line)) {
            case USER -> Optional.of(new HistoryLine(true, NATIVE, "user"));
            case ASSISTANT -> Optional.of(new HistoryLine(true, NATIVE, "assistant"));
            case SUMMARY -> Optional.of(new HistoryLine(true, NATIVE, "summary"));
            case UNNAMED -> Optional.of(new HistoryLine(false, null, "user"));
            case OTHER -> Optional.of(new HistoryLine(true, "another", "user"));
            case NUMBER -> Optional.of(new HistoryLine(true, null, "user"));
            case BROKEN -> Optional.empty();
        };
    }

    private static boolean passes(ThrowingCallable call) {
        BerthException refused = catchThrowableOfType(BerthException.class, call);
        assertThat(refused == null || refused.code() == ProblemCode.ENVIRONMENT_CHECKPOINT_INVALID)
                .isTrue();
        return refused == null;
    }

    private static ProblemCode code(ThrowingCallable call) {
        return catchThrowableOfType(BerthException.class, call).code();
    }
}
