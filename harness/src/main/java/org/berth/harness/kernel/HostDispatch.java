package org.berth.harness.kernel;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import org.berth.harness.frame.HostRefusal;

/** What the host does for a kernel. */
public interface HostDispatch {
    /** Whether requests of this type have a handler; asked on the thread that feeds, must not wait. */
    boolean serves(String type);

    /**
     * Serves one accepted request.
     *
     * @param data the request's fields, {@code type} among them
     * @return the result, never null
     * @throws HostRefusal for a typed rejection
     * @throws Exception whose message becomes the reply's error
     */
    JsonValue handle(String type, JsonObject data) throws Exception;
}
