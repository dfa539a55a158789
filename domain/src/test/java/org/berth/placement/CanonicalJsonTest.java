package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalJsonTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "0.000, 0",
        "0e99, 0",
        "1, 1",
        "1.0, 1",
        "1e0, 1",
        "10e-1, 1",
        "-1.50, -1.5",
        "100, 100",
        "1e2, 100",
        "1e20, 100000000000000000000",
        "1e21, 1E+21",
        "1000000000000000000000, 1E+21",
        "0.1, 0.1",
        "1e-6, 0.000001",
        "1e-7, 1E-7",
        "0.0000001, 1E-7",
        "12345678901234567890.125, 12345678901234567890.125"
    })
    void a_number_has_one_text(String number, String text) {
        assertThat(CanonicalJson.write(new BigDecimal(number))).isEqualTo(text);
    }

    @Test
    void every_java_form_of_a_number_has_the_same_text() {
        assertThat(List.of(CanonicalJson.write(1), CanonicalJson.write(1L), CanonicalJson.write(1.0)))
                .containsOnly("1");
    }

    @Property
    void equal_numbers_have_equal_texts_and_only_they(@ForAll BigDecimal one, @ForAll BigDecimal other) {
        assertThat(CanonicalJson.write(one).equals(CanonicalJson.write(other))).isEqualTo(one.compareTo(other) == 0);
        assertThat(CanonicalJson.write(one.setScale(one.scale() + 5))).isEqualTo(CanonicalJson.write(one));
        assertThat(new BigDecimal(CanonicalJson.write(one))).isEqualByComparingTo(one);
    }

    @Test
    void names_are_sorted_by_code_unit_at_every_level() {
        Map<String, Object> inner = new LinkedHashMap<>();
        inner.put("b", null);
        inner.put("B", List.of());
        inner.put("\u00fc", Map.of());
        inner.put("", true);
        assertThat(CanonicalJson.write(Map.of("a", List.of(inner, "x"))))
                .isEqualTo("{\"a\":[{\"\":true,\"B\":[],\"b\":null,\"\u00fc\":{}},\"x\"]}");
    }

    @Property
    void the_order_of_names_never_matters(@ForAll Map<String, Long> map, @ForAll long seed) {
        List<String> names = new ArrayList<>(map.keySet());
        Collections.shuffle(names, new Random(seed));
        Map<String, Object> shuffled = new LinkedHashMap<>();
        names.forEach(name -> shuffled.put(name, map.get(name)));
        assertThat(CanonicalJson.sha256(shuffled)).isEqualTo(CanonicalJson.sha256(map));
    }

    @Test
    void control_characters_quotes_and_backslashes_are_escaped() {
        assertThat(CanonicalJson.write("\"\\\n\r\t\b\f\0\u001f\u007f/"))
                .isEqualTo("\"\\\"\\\\\\n\\r\\t\\b\\f\\u0000\\u001f\u007f/\"");
    }

    @Property
    void two_texts_never_share_a_digest(@ForAll String one, @ForAll String other) {
        assertThat(CanonicalJson.sha256(one).equals(CanonicalJson.sha256((Object) other)))
                .isEqualTo(one.equals(other));
    }

    @Test
    void a_lone_surrogate_is_told_from_a_question_mark() {
        for (String text : List.of("\ud800", "\udc00", "a\ud800b", "\udc00\ud800")) {
            assertThat(CanonicalJson.write(text)).matches("[\\x00-\\x7f]+").contains("\\ud");
            assertThat(CanonicalJson.sha256((Object) text)).isNotEqualTo(CanonicalJson.sha256((Object)
                    text.replace('\ud800', '?').replace('\udc00', '?')));
        }
    }

    @Test
    void a_whole_surrogate_pair_stays_as_it_is() {
        assertThat(CanonicalJson.write("\ud83d\ude00")).isEqualTo("\"\ud83d\ude00\"");
    }

    @Test
    void the_digest_is_sha256_of_the_text() {
        assertThat(CanonicalJson.sha256(new byte[0]))
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assertThat(CanonicalJson.sha256(Map.of())).isEqualTo(CanonicalJson.sha256("{}".getBytes()));
    }

    @Test
    void what_is_no_json_is_refused() {
        for (Object wrong : List.of('c', new Object(), Double.NaN, Map.of(1, 2), new BigDecimal("100e2147483647"))) {
            assertThatThrownBy(() -> CanonicalJson.write(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
