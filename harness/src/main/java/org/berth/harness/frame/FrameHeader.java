package org.berth.harness.frame;

import java.util.Optional;

/**
 * What the gate reads of a frame. A field is empty when it is absent, not a string, or longer than the head limit.
 *
 * @param event the name of the event
 * @param id the id of the request
 * @param type the field {@code type} of the object {@code data}
 */
record FrameHeader(Optional<String> event, Optional<String> id, Optional<String> type) {
    /** The event of a request to the host. Source: harness.md, S3. */
    static final String HOST_REQUEST = "host_request";

    boolean isRequest() {
        return event.filter(HOST_REQUEST::equals).isPresent() && id.isPresent();
    }
}
