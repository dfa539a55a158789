package org.berth.harness.session;

/** The two records of a tool call, in their order. Source: harness.md, S2. */
public enum CallStep {
    START,
    SETTLE
}
