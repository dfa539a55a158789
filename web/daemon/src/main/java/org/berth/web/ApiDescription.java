package org.berth.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The OpenAPI description that is in the archive; a test compares it with the resources. */
final class ApiDescription {
    private static final String FILE = "/openapi.yaml";

    private ApiDescription() {}

    static String text() {
        try (InputStream file = ApiDescription.class.getResourceAsStream(FILE)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Map<String, Object> tree() {
        Map<?, ?> read = new Yaml(new SafeConstructor(new LoaderOptions())).load(text());
        Map<String, Object> tree = new LinkedHashMap<>();
        read.forEach((name, value) -> tree.put(String.valueOf(name), value));
        return tree;
    }
}
