package org.berth.host.service;

import org.berth.host.SecretBytes;

/** What a source of a secret gave. */
public sealed interface Fetched {
    /** The source's bytes, unchanged; they may be empty. */
    record Given(SecretBytes bytes) implements Fetched {}

    /** Nothing is there. */
    record Absent() implements Fetched {}

    /** Something is there that must not be used; {@code why} is a fixed phrase such as "is no regular file". */
    record Unusable(String why) implements Fetched {}
}
