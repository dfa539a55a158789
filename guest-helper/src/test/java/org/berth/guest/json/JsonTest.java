package org.berth.guest.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class JsonTest {
    private static Object read(String text) {
        return Json.read(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String write(Object value) {
        return new String(Json.write(value), StandardCharsets.US_ASCII);
    }

    @Test
    void everyKindOfValueIsRead() {
        assertThat(Json.object(read(" {\"a\":[1,-2,0,1.5e3,true,false,null,\"x\"],\"b\":{}} ")))
                .isEqualTo(Map.of(
                        "a",
                        Arrays.asList(1L, -2L, 0L, new Json.Decimal("1.5e3"), true, false, null, "x"),
                        "b",
                        Map.of()));
        assertThat(read("\"\\u00e9\\n\\/\\ud83d\\ude00é\"")).isEqualTo("é\n/😀é");
        assertThat(read("12345678901234567890")).isEqualTo(new Json.Decimal("12345678901234567890"));
    }

    @Test
    void writtenTextIsAsciiAndSortedOnDemand() {
        assertThat(write(Json.read("{\"b\":1,\"a\":\"é\\u0001\\\"\"}".getBytes(StandardCharsets.UTF_8))))
                .isEqualTo("{\"b\":1,\"a\":\"\\u00e9\\u0001\\\"\"}");
        assertThat(new String(
                        Json.writeSorted(read("{\"b\":[{\"d\":1,\"c\":2.50}],\"a\":[]}")), StandardCharsets.US_ASCII))
                .isEqualTo("{\"a\":[],\"b\":[{\"c\":2.50,\"d\":1}]}");
    }

    @Test
    void whatIsNotStrictlyJsonIsRefused() {
        for (String each : List.of(
                "",
                " ",
                "{",
                "[1,]",
                "{\"a\":1,}",
                "{\"a\":1,\"a\":1}",
                "{a:1}",
                "[1 2]",
                "01",
                "-",
                "1.",
                ".5",
                "1e",
                "+1",
                "NaN",
                "tru",
                "\"a",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\\u１２３４\"",
                "\"a\tb\"",
                "1 1",
                "{} x",
                "[".repeat(65) + "]".repeat(65))) {
            assertThatThrownBy(() -> read(each)).as(each).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> Json.read(new byte[] {'"', (byte) 0xff, '"'}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(read("[".repeat(64) + "]".repeat(64))).isNotNull();
    }

    @Property
    void textReadsAsItWasWritten(@ForAll String text) {
        String wellFormed = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        assertThat(Json.read(Json.write(List.of(wellFormed)))).isEqualTo(List.of(wellFormed));
    }

    @Property
    void anyBytesAreReadOrRefused(@ForAll byte[] bytes) {
        try {
            Object value = Json.read(bytes);
            assertThat(Json.read(Json.write(value))).isEqualTo(value);
        } catch (IllegalArgumentException e) {
            assertThat(e).isNotNull();
        }
    }
}
