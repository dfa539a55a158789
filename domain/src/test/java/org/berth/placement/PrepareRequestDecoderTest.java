package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.berth.placement.LaunchRequestFaults.fullest;
import static org.berth.placement.LaunchRequestFaults.list;
import static org.berth.placement.LaunchRequestFaults.map;
import static org.berth.placement.LaunchRequestFaults.smallest;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrepareRequestDecoderTest {
    static List<LaunchRequestFaults.Fault> faults() {
        return LaunchRequestFaults.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void a_wrong_request_is_refused_by_a_sentence_with_its_path_and_rule(LaunchRequestFaults.Fault fault) {
        assertThatThrownBy(() -> PrepareRequestDecoder.decode(fault.tree()))
                .asInstanceOf(InstanceOfAssertFactories.type(BerthException.class))
                .satisfies(refusal -> {
                    assertThat(refusal.code()).isEqualTo(ProblemCode.INVALID);
                    assertThat(refusal.getMessage()).startsWith(fault.path()).contains(fault.rule());
                    assertThat(refusal.getMessage().charAt(fault.path().length()))
                            .isIn(' ', ',');
                });
    }

    @Test
    void every_fault_has_a_label_of_its_own() {
        List<String> labels =
                faults().stream().map(LaunchRequestFaults.Fault::label).toList();
        assertThat(new HashSet<>(labels)).hasSameSizeAs(labels);
    }

    @Test
    void the_smallest_request_takes_every_default() {
        PrepareRequest request = PrepareRequestDecoder.decode(smallest());
        assertThat(request.launch())
                .isEqualTo(new PrepareRequest.Launch(
                        "/bin/true",
                        List.of(),
                        null,
                        false,
                        false,
                        List.of(),
                        null,
                        null,
                        LaunchMode.PIPES,
                        null,
                        null));
        assertThat(request.requiredCleanup()).isEqualTo(Capability.PROCESS_GROUP);
        assertThat(request.requiredExitObservation()).isEqualTo(ExitObservation.INDEPENDENT);
        assertThat(request.timeouts()).isEqualTo(new PrepareRequest.Timeouts(15_000, 5_000, 5_000, 30_000));
        assertThat(request.output())
                .isEqualTo(new PrepareRequest.Output(RecipientKind.STREAM, OutputTruncation.DEFAULT));
        assertThat(request.environment()).isEmpty();
        assertThat(request.resources()).isEmpty();
        assertThat(request.options()).isEmpty();
        assertThat(request.executable()).isNull();
        assertThat(request.configurationDigest()).isNull();
    }

    @Test
    void the_fullest_request_keeps_every_field() {
        PrepareRequest request = PrepareRequestDecoder.decode(fullest());
        assertThat(request.launch().window()).isEqualTo(new TerminalSize(24, 80));
        assertThat(request.launch().argv()).containsExactly("-c", "echo \u00fc");
        assertThat(request.output().truncation()).isEqualTo(new OutputTruncation(true, 1, 1, true));
        assertThat(request.resources())
                .containsExactly(
                        new PrepareRequest.Resource(
                                "work", "grant/1", "work", "a/b", ResourceAccess.WRITE, ResourcePurpose.PROJECT),
                        new PrepareRequest.Resource(
                                "home", "grant/1", "work", "a/b", ResourceAccess.WRITE, ResourcePurpose.SESSION));
        assertThat(PrepareRequestDecoder.decode(request.toTree())).isEqualTo(request);
    }

    @Test
    void defaults_written_out_are_the_same_request() {
        PrepareRequest request = PrepareRequestDecoder.decode(smallest());
        assertThat(PrepareRequestDecoder.decode(request.toTree()).digest()).isEqualTo(request.digest());
    }

    @Test
    void both_places_of_a_window_size_are_the_same_request() {
        Map<String, Object> size = map("rows", 1000L, "cols", 1);
        Map<String, Object> beside = smallest();
        beside.put("launch", map("executable", "/bin/true", "mode", "window", "window", size));
        Map<String, Object> inside = smallest();
        inside.put("launch", map("executable", "/bin/true", "mode", map("window", size)));
        assertThat(PrepareRequestDecoder.decode(inside)).isEqualTo(PrepareRequestDecoder.decode(beside));
    }

    @Test
    void the_bounds_themselves_are_admitted() {
        Map<String, Object> tree = smallest();
        tree.put(
                "launch",
                map(
                        "executable",
                        "/" + "a".repeat(4094),
                        "argv",
                        new ArrayList<>(Collections.nCopies(8, "a".repeat(131_071))),
                        "stdin",
                        "\u00fc".repeat(32_768),
                        "session_end",
                        "stdin_close",
                        "readiness",
                        "\ud83d\ude00".repeat(256)));
        tree.put("environment", map("A", "x".repeat(16_384)));
        tree.put("owner_id", "o".repeat(160));
        tree.put("owner_incarnation", Long.MAX_VALUE);
        PrepareRequest request = PrepareRequestDecoder.decode(tree);
        assertThat(request.launch().sessionEndStdinClose()).isTrue();
        assertThat(request.ownerIncarnation()).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "...", "a..b", ".hidden/x", "\u00fc"})
    void a_relative_subpath_is_admitted(String subpath) {
        Map<String, Object> tree = smallest();
        Map<String, Object> resource = LaunchRequestFaults.resource("r", "cache");
        resource.put("subpath", subpath);
        tree.put("resources", list(resource));
        assertThat(PrepareRequestDecoder.decode(tree).resources().getFirst().subpath())
                .isEqualTo(subpath);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb", "a=b=c", "  at both ends  ", "$HOME `id`", "\u00e9\u2264", "\ud83d\ude00"})
    void an_environment_value_is_kept_as_it_is(String value) {
        Map<String, Object> tree = smallest();
        tree.put("environment", map("VALUE", value));
        assertThat(PrepareRequestDecoder.decode(tree).environment()).containsExactly(Map.entry("VALUE", value));
    }

    @Test
    void a_projection_may_supply_an_asked_variable() {
        Map<String, Object> tree = smallest();
        tree.put("launch", map("executable", "/bin/true", "environment", list("API_KEY")));
        tree.put("projections", list("key"));
        assertThat(PrepareRequestDecoder.decode(tree).launch().environment()).containsExactly("API_KEY");
    }

    @Test
    void a_caller_cannot_change_a_decoded_request_through_its_tree() {
        Map<String, Object> tree = fullest();
        PrepareRequest request = PrepareRequestDecoder.decode(tree);
        String digest = request.digest();
        Map<?, ?> options = (Map<?, ?>) tree.get("options");
        ((List<?>) options.get("flags")).clear();
        options.clear();
        assertThat(request.digest()).isEqualTo(digest);
    }

    @Test
    void a_long_unknown_name_is_cut_in_the_sentence() {
        Map<String, Object> tree = smallest();
        tree.put("x\n" + "y".repeat(10_000), 1L);
        assertThatThrownBy(() -> PrepareRequestDecoder.decode(tree))
                .message()
                .hasSizeLessThan(200)
                .startsWith("x?y")
                .endsWith("is not a known field");
    }

    @Property(tries = 300)
    void decode_is_the_inverse_of_encode(@ForAll("requests") Map<String, Object> tree) {
        PrepareRequest request = PrepareRequestDecoder.decode(tree);
        assertThat(PrepareRequestDecoder.decode(PrepareRequestDecoder.encode(request)))
                .isEqualTo(request);
    }

    @Property(tries = 200)
    void the_order_of_fields_never_changes_the_digest(@ForAll("requests") Map<String, Object> tree, @ForAll long seed) {
        assertThat(PrepareRequestDecoder.decode(shuffled(tree, new Random(seed)))
                        .digest())
                .isEqualTo(PrepareRequestDecoder.decode(tree).digest());
    }

    @Property(tries = 200)
    void another_request_has_another_digest(
            @ForAll("requests") Map<String, Object> one, @ForAll("requests") Map<String, Object> other) {
        PrepareRequest first = PrepareRequestDecoder.decode(one);
        PrepareRequest second = PrepareRequestDecoder.decode(other);
        assertThat(first.digest().equals(second.digest())).isEqualTo(first.equals(second));
    }

    @Provide
    Arbitrary<Map<String, Object>> requests() {
        Arbitrary<String> text = Arbitraries.strings()
                .ofMaxLength(12)
                .filter(each -> each.indexOf('\0') < 0 && each.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF));
        Arbitrary<Object> leaf = Arbitraries.oneOf(
                text.map(Object.class::cast),
                Arbitraries.longs().map(Object.class::cast),
                Arbitraries.bigDecimals().map(Object.class::cast),
                Arbitraries.of(true, false).map(Object.class::cast));
        Arbitrary<Map<String, Object>> options = Arbitraries.maps(text, leaf).ofMaxSize(4);
        Arbitrary<Map<String, Object>> launch = Combinators.combine(
                        text.list().ofMaxSize(4),
                        text.injectNull(0.5),
                        Arbitraries.integers().between(0, 1000))
                .as((argv, stdin, rows) -> {
                    Map<String, Object> tree = map("executable", "/bin/true", "argv", argv);
                    if (stdin != null) {
                        tree.put("stdin", stdin);
                        tree.put("stdin_eof", stdin.length() % 2 == 0);
                    }
                    if (rows > 0) {
                        tree.putAll(map("mode", "window", "window", map("rows", (long) rows, "cols", 1L)));
                    }
                    return tree;
                });
        Arbitrary<Map<String, Object>> environment = Arbitraries.maps(
                        Arbitraries.strings()
                                .withCharRange('A', 'G')
                                .ofMinLength(1)
                                .ofMaxLength(5),
                        text.map(Object.class::cast))
                .ofMaxSize(5);
        return Combinators.combine(
                        launch,
                        environment,
                        options,
                        Arbitraries.longs().between(1, 120_000),
                        Arbitraries.of(Capability.values()))
                .as((launched, variables, wanted, startMs, cleanup) -> {
                    Map<String, Object> tree = startMs % 3 == 0 ? fullest() : smallest();
                    tree.put("environment", variables);
                    tree.put("options", wanted);
                    tree.put("timeouts", map("start_ms", startMs));
                    tree.put("required_cleanup", Wire.name(cleanup));
                    if (startMs % 3 == 0) {
                        variables.putIfAbsent("GREETING", "x");
                    } else {
                        tree.put("launch", launched);
                    }
                    return tree;
                });
    }

    private static Map<String, Object> shuffled(Map<String, Object> tree, Random random) {
        List<String> names = new ArrayList<>(tree.keySet());
        Collections.shuffle(names, random);
        Map<String, Object> other = new LinkedHashMap<>();
        for (String name : names) {
            Object value = tree.get(name);
            other.put(name, value instanceof Map<?, ?> map ? shuffled(RequestNode.object(name, map), random) : value);
        }
        return other;
    }

    @Test
    void equal_numbers_in_options_are_equal_requests() {
        Map<String, Object> whole = smallest();
        whole.put("options", map("a", 1));
        Map<String, Object> exponent = smallest();
        exponent.put("options", map("a", new BigDecimal("10e-1")));
        assertThat(PrepareRequestDecoder.decode(exponent)).isEqualTo(PrepareRequestDecoder.decode(whole));
    }
}
