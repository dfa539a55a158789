package org.berth.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.berth.problem.BerthException;
import org.junit.jupiter.api.Test;

class TomlTextTest {
    @Test
    void valuesStandBeforeTables() {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("outer", Map.of("inner table", Map.of("flag", true)));
        root.put("text", "a");
        root.put("empty", Map.of());
        root.put("list", List.of("b", "c\"d"));
        root.put("number", 7);
        assertThat(TomlText.document(root)).isEqualTo("""
                        text = "a"
                        list = ["b", "c\\"d"]
                        number = 7

                        [outer."inner table"]
                        flag = true

                        [empty]
                        """);
    }

    @Test
    void whatTomlForbidsInATextIsEscaped() {
        assertThat(TomlText.value("\"\\\n\r\t\b\f\u0000\u001f\u007f'#=[]ü😀"))
                .isEqualTo("\"\\\"\\\\\\n\\u000D\\t\\u0008\\u000C\\u0000\\u001F\\u007F'#=[]ü😀\"");
    }

    @Test
    void halfASurrogatePairIsRefused() {
        assertThatThrownBy(() -> TomlText.value("a\ud83d"))
                .isInstanceOf(BerthException.class)
                .hasMessageContaining("surrogate");
    }

    @Test
    void anotherTypeIsABug() {
        assertThatThrownBy(() -> TomlText.value(1.5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Property
    void everyTextComesBack(@ForAll String any) {
        String text = whole(any);
        assertThat(TomlReader.read(TomlText.document(Map.of("a", text)))).isEqualTo(Map.of("a", text));
    }

    @Property
    void everyTreeComesBack(@ForAll List<String> texts, @ForAll boolean flag, @ForAll int number, @ForAll String any) {
        List<String> list = texts.stream().map(TomlTextTest::whole).toList();
        String name = whole(any);
        Map<String, Object> tree = Map.of(
                "list",
                list,
                "flag",
                flag,
                "number",
                number,
                "tables",
                Map.of(name, Map.of("deep", Map.of("x", name))));
        assertThat(TomlReader.read(TomlText.document(tree))).isEqualTo(tree);
    }

    /** Without half of a surrogate pair, but with whole ones. */
    private static String whole(String text) {
        return text.replaceAll("[\\ud800-\\udfff]", "😀");
    }
}
