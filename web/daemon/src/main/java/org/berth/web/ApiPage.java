package org.berth.web;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** Writes the description as one HTML file: routes by tag, then schemas. No script, nothing from elsewhere. */
final class ApiPage {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");
    private static final String STYLE = "body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
            + "pre{background:#f4f4f4;padding:.7rem;overflow:auto;font-size:13px}code{font-size:14px}"
            + "summary{cursor:pointer;padding:.2rem 0}details{border-bottom:1px solid #ddd}p{white-space:pre-line}";

    private ApiPage() {}

    static String render(Map<String, Object> description) {
        Map<?, ?> info = map(description.get("info"));
        StringBuilder page = new StringBuilder("<!DOCTYPE html><html lang=\"en\"><meta charset=\"UTF-8\"><title>")
                .append(escaped(info.get("title")))
                .append("</title><style>")
                .append(STYLE)
                .append("</style><h1>")
                .append(escaped(info.get("title")))
                .append("</h1>")
                .append(paragraph(info.get("description")));
        for (Object each : (List<?>) description.get("tags")) {
            Map<?, ?> tag = map(each);
            page.append("<h2>")
                    .append(escaped(tag.get("name")))
                    .append("</h2>")
                    .append(paragraph(tag.get("description")));
            map(description.get("paths"))
                    .forEach((path, item) -> map(item).forEach((method, operation) -> {
                        if (METHODS.contains(method)
                                && ((List<?>) map(operation).get("tags")).contains(tag.get("name"))) {
                            appendOperation(page, String.valueOf(method), String.valueOf(path), map(operation));
                        }
                    }));
        }
        map(description.get("components")).forEach((group, members) -> {
            page.append("<h2>").append(escaped(group)).append("</h2>");
            map(members)
                    .forEach((name, member) -> page.append("<details id=\"")
                            .append(escaped(group + "-" + name))
                            .append("\"><summary><code>")
                            .append(escaped(name))
                            .append("</code></summary>")
                            .append(block(member))
                            .append("</details>"));
        });
        return page.append("</html>").toString();
    }

    private static void appendOperation(StringBuilder page, String method, String path, Map<?, ?> operation) {
        page.append("<details><summary><code>")
                .append(escaped(method.toUpperCase(java.util.Locale.ROOT) + " " + path))
                .append("</code> ")
                .append(escaped(operation.get("summary")))
                .append("</summary>")
                .append(paragraph(operation.get("description")));
        for (String part : List.of("parameters", "requestBody", "responses")) {
            if (operation.containsKey(part)) {
                page.append("<h4>").append(part).append("</h4>").append(block(operation.get(part)));
            }
        }
        page.append("</details>");
    }

    private static String paragraph(Object text) {
        return text == null ? "" : "<p>" + escaped(text) + "</p>";
    }

    private static String block(Object tree) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setDereferenceAliases(true);
        return "<pre>" + escaped(new Yaml(options).dump(tree)) + "</pre>";
    }

    private static Map<?, ?> map(Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static String escaped(Object text) {
        return String.valueOf(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
