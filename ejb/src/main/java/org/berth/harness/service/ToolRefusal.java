package org.berth.harness.service;

/** A tool's typed refusal. The message is one sentence for people. */
final class ToolRefusal extends Exception {
    private final transient Object details;

    /** @param details a tree that programs read; null for none */
    ToolRefusal(String sentence, Object details) {
        super(sentence, null, false, false);
        this.details = details;
    }

    Object details() {
        return details;
    }
}
