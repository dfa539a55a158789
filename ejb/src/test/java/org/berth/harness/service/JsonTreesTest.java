package org.berth.harness.service;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Map;
import org.berth.placement.CanonicalJson;
import org.junit.jupiter.api.Test;

class JsonTreesTest {
    private static JsonObject json(String text) {
        return Json.createReader(new StringReader(text)).readObject();
    }

    @Test
    void every_kind_of_value_comes_through_both_ways() {
        Object tree = JsonTrees.tree(json("{\"a\":[1,1.5,true,false,null,\"x\"],\"b\":{}}"));
        assertThat(tree)
                .isEqualTo(
                        Map.of("a", Arrays.asList(1L, new BigDecimal("1.5"), true, false, null, "x"), "b", Map.of()));
        @SuppressWarnings("unchecked")
        Map<String, Object> members = (Map<String, Object>) tree;
        assertThat(JsonTrees.tree(JsonTrees.object(members))).isEqualTo(tree);
    }

    @Test
    void a_number_of_absurd_size_costs_no_memory() {
        Object tree = JsonTrees.tree(json("{\"a\":1e999999999}"));
        assertThat(CanonicalJson.write(tree)).hasSizeLessThan(100);
    }
}
