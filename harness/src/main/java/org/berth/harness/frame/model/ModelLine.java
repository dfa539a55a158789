package org.berth.harness.frame.model;

import java.util.Optional;

/** A line as the rules see it. */
public sealed interface ModelLine {
    /** Its length without the newline. */
    long byteCount();

    /** A well-formed request to the host; {@code type} is empty when it names none. */
    record Request(String id, Optional<String> type, long byteCount) implements ModelLine {}

    /** Any other event. */
    record Event(String name, long byteCount) implements ModelLine {}

    /** A line that is no frame, within or over the limit. */
    record Garbage(boolean utf8, long byteCount) implements ModelLine {}
}
