package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.api.Json;
import org.berth.cli.output.Style;
import org.berth.cli.output.Tables;

/** What is known of one environment, for people. */
final class EnvironmentSummary {
    private static final int DETAIL = 90;

    private final PrintStream out;
    private final Style style;

    EnvironmentSummary(PrintStream out, Style style) {
        this.out = out;
        this.style = style;
    }

    /** The binding itself. */
    void binding(JsonObject binding) {
        JsonObject placement = Json.object(binding, "placement");
        JsonObject resource = Json.object(binding, "resource");
        out.println(style.heading("Environment " + safe(binding, "bindingId")) + "  "
                + style.state(Tables.safe(Environments.phase(binding))) + ", " + safe(binding, "ownership"));
        line("seat", safe(binding, "seat"));
        line("generation", binding.isNull("generation") ? "none yet" : safe(binding, "generation"));
        line(
                "placed",
                safe(placement, "name") + " in workspace " + safe(placement, "workspace") + " of gateway "
                        + safe(placement, "gateway"));
        line("image", safe(placement, "image"));
        line("provider", safe(placement, "provider"));
        line("policy", safe(placement, "policy"));
        line("guest reports to", safe(binding, "guestBaseUrl"));
        if (binding.containsKey("artifactRoot")) {
            line("artifacts", safe(binding, "artifactRoot"));
        }
        if (!resource.isEmpty()) {
            line("resource", safe(resource, "id"));
        }
        if (resource.containsKey("fingerprint")) {
            line("fingerprint", safe(resource, "fingerprint"));
        }
    }

    /** What inspect tells besides. */
    void inspected(JsonObject inspected, boolean live) {
        line("observed", live ? "just now" : "as recorded; --live looks now");
        out.println();
        out.println(style.heading("Operations"));
        operations(Json.objects(inspected, "operations"));
        list("Not enforced by this driver", inspected, "unenforced");
        if (live) {
            list("Refused on the way out", inspected, "egressRefusals");
        }
    }

    private void operations(List<JsonObject> operations) {
        if (operations.isEmpty()) {
            out.println("none");
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject operation : operations) {
            String refusal = Json.text(operation, "refusal");
            rows.add(Attempts.row(
                    Json.text(operation, "operationId"),
                    Json.text(operation, "kind"),
                    Json.text(operation, "state"),
                    Json.text(operation, "requestedBy"),
                    refusal != null ? refusal : receipt(Json.object(operation, "receipt"))));
        }
        new Tables(out, style).print(List.of("OPERATION", "KIND", "STATE", "BY", "RECEIPT OR REFUSAL"), rows);
    }

    /** Its plain members; --json shows the rest. */
    private static String receipt(JsonObject receipt) {
        List<String> parts = new ArrayList<>();
        receipt.forEach((name, value) -> {
            switch (value.getValueType()) {
                case STRING, NUMBER, TRUE, FALSE -> parts.add(name + "=" + Json.plain(value));
                case OBJECT, ARRAY, NULL -> {}
            }
        });
        String all = String.join(" ", parts);
        return all.length() <= DETAIL ? all : all.substring(0, DETAIL - 1) + "…";
    }

    private void list(String heading, JsonObject inspected, String name) {
        out.println();
        out.println(style.heading(heading));
        if (!inspected.containsKey(name) || inspected.isNull(name)) {
            out.println("the driver does not say now");
            return;
        }
        List<String> sentences = Json.texts(inspected, name);
        sentences.forEach(each -> out.println("- " + Tables.safe(each)));
        if (sentences.isEmpty()) {
            out.println("nothing");
        }
    }

    private void line(String name, String value) {
        out.println("  " + name + " ".repeat(Math.max(1, 18 - name.length())) + value);
    }

    private static String safe(JsonObject object, String name) {
        return Tables.safe(Json.text(object, name));
    }
}
