package org.berth.harness.frame;

import java.util.Objects;

/**
 * A request of the kernel that the gate accepted.
 *
 * @param id unused before, of at most as many characters as the head limit
 * @param type served, the field {@code data.type}; a handler is chosen by it and never by a second reading of the frame
 * @param frame the whole frame, kept, well-formed JSON and UTF-8
 */
public record HostRequest(String id, String type, Frame frame) {
    public HostRequest {
        Objects.requireNonNull(id);
        Objects.requireNonNull(type);
        Objects.requireNonNull(frame);
    }
}
