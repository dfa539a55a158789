package org.berth.startup;

/** What an agent's input is for. SUBAGENT and RUNTIME_RESOURCE have no place in a guest. */
public enum InputCategory {
    GUIDANCE,
    SKILL,
    PLUGIN,
    SUBAGENT,
    RUNTIME_RESOURCE
}
