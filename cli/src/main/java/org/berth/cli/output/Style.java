package org.berth.cli.output;

/** Colours for a terminal, plain text elsewhere. Source: ECMA-48, SGR. */
public final class Style {
    private static final String RESET = "\033[0m";

    private final boolean colours;

    public Style(boolean colours) {
        this.colours = colours;
    }

    public String heading(String text) {
        return wrap("\033[1m", text);
    }

    /** A state or an exit, coloured by what it means for its reader. */
    public String state(String text) {
        return switch (text.strip()) {
            case "running", "complete", "0", "up", "Ready", "confirmed", "done" -> wrap("\033[32m", text);
            case "starting", "stopping", "intended", "pending", "intent", "requested", "in-progress" ->
                wrap("\033[33m", text);
            case "uncertain", "unknown", "attention", "refused", "Error", "failed" -> wrap("\033[31m", text);
            default -> text;
        };
    }

    private String wrap(String code, String text) {
        return colours ? code + text + RESET : text;
    }
}
