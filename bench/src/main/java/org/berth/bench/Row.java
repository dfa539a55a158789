package org.berth.bench;

import java.util.List;
import java.util.Locale;

/**
 * One line of the report.
 *
 * @param measure what was measured
 * @param value its median, with unit
 * @param against the plain alternative's median, with unit; empty for none
 * @param ratio the two compared; empty without an alternative
 * @param aim what is wanted
 * @param met whether the aim was reached; null for a figure without an aim
 */
record Row(String measure, String value, String against, String ratio, String aim, Boolean met) {
    static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    }

    /** A Markdown table; {@code command} repeats the line. */
    static String table(List<Row> rows, String command) {
        StringBuilder text = new StringBuilder("| measure | Berth | plain alternative | ratio | aim | met |\n");
        text.append("|---|---|---|---|---|---|\n");
        for (Row row : rows) {
            String met = row.met == null ? "" : row.met ? "yes" : "no";
            text.append("| ")
                    .append(String.join(" | ", row.measure, row.value, row.against, row.ratio, row.aim, met))
                    .append(" |\n");
        }
        return text.append("\nCommand: `").append(command).append("`\n").toString();
    }
}
