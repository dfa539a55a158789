package org.berth.credential.service;

/** What a seed came to. */
public enum SeedOutcome {
    /** The attempt no longer starts: nothing was written. */
    FENCED,
    /** A new home got its login. */
    LOGIN_WRITTEN,
    /** A new home has no login: none was projected, or its optional source is absent. */
    WITHOUT_LOGIN,
    /** A retained home goes on with what it has; its login was not touched. */
    RESUMED
}
