package org.berth.placement;

/** What an executable file is, by its first bytes. */
public enum ExecutableKind {
    ELF,
    SCRIPT,
    OTHER
}
