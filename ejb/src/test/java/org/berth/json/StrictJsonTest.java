package org.berth.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StrictJsonTest {
    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of("", "empty"),
                Arguments.of("  \n", "empty"),
                Arguments.of("[]", "no JSON object"),
                Arguments.of("\"a\"", "no JSON object"),
                Arguments.of("{", "well-formed"),
                Arguments.of("{\"a\":1,}", "well-formed"),
                Arguments.of("{\"a\":01}", "well-formed"),
                Arguments.of("{\"a\":NaN}", "well-formed"),
                Arguments.of("{'a':1}", "well-formed"),
                Arguments.of("{\"a\":1} {\"b\":2}", ""),
                Arguments.of("{\"a\":1,\"a\":2}", "stands twice"),
                Arguments.of("{\"a\":{\"b\":1,\"b\":1}}", "stands twice"),
                Arguments.of("{\"a\":" + "9".repeat(41) + "}", "characters"),
                Arguments.of("{\"a\":1e999999}", "exponent"),
                Arguments.of("{\"a\":\"\\ud800\"}", "surrogate"),
                Arguments.of("{\"\\udc00\":1}", "surrogate"),
                Arguments.of("{\"a\":" + "[".repeat(40) + "]".repeat(40) + "}", "nested"),
                Arguments.of("\ufeff{\"a\":1}", ""));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatALenientReaderWouldLetPassIsRefused(String text, String sentence) {
        assertThatThrownBy(() -> StrictJson.object(text.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOfSatisfying(BerthException.class, refusal -> {
                    assertThat(refusal.code()).isEqualTo(ProblemCode.INVALID);
                    assertThat(refusal).hasMessageContaining(sentence);
                    assertThat(refusal.getMessage()).doesNotContain("parsson", "Exception");
                });
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        byte[] bytes = {'{', '"', (byte) 0xff, '"', ':', '1', '}'};
        assertThatThrownBy(() -> StrictJson.object(bytes)).hasMessageContaining("UTF-8");
        assertThatThrownBy(() -> StrictJson.object("{\"a\":1}".getBytes(StandardCharsets.UTF_16)))
                .isInstanceOf(BerthException.class);
    }

    @Test
    void numbersKeepTheirExactValue() {
        Map<String, Object> object =
                StrictJson.object("{\"a\":1,\"b\":1.0,\"c\":1.5,\"d\":-0,\"e\":9223372036854775808}");
        assertThat(object)
                .containsEntry("a", 1L)
                .containsEntry("b", 1L)
                .containsEntry("c", new BigDecimal("1.5"))
                .containsEntry("d", 0L)
                .containsEntry("e", new BigDecimal("9223372036854775808"));
    }

    @Provide
    Arbitrary<Map<String, Object>> trees() {
        Arbitrary<Object> leaf = Arbitraries.oneOf(List.of(
                Arbitraries.strings()
                        .all()
                        .ofMaxLength(20)
                        .filter(StrictJsonTest::wellFormed)
                        .map(Object.class::cast),
                Arbitraries.longs().map(Object.class::cast),
                Arbitraries.of(true, false).map(Object.class::cast)));
        Arbitrary<Object> nested =
                Arbitraries.oneOf(leaf, leaf.list().ofMaxSize(4).map(Object.class::cast));
        return Arbitraries.maps(Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(8), nested)
                .ofMaxSize(6)
                .map(LinkedHashMap::new);
    }

    private static boolean wellFormed(String text) {
        return text.equals(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
    }

    @Property
    void whatWasWrittenIsReadBack(@ForAll("trees") Map<String, Object> tree) {
        assertThat(StrictJson.object(JsonText.write(tree))).isEqualTo(tree);
    }
}
