package org.berth.harness.kernel;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Handlers by type, and what they were asked. */
final class Handlers implements HostDispatch {
    /** One handler. */
    interface Handler {
        JsonValue handle(JsonObject data) throws Exception;
    }

    final List<JsonObject> asked = new CopyOnWriteArrayList<>();
    private final Map<String, Handler> handlers = new ConcurrentHashMap<>();

    Handlers on(String type, Handler handler) {
        handlers.put(type, handler);
        return this;
    }

    @Override
    public boolean serves(String type) {
        return handlers.containsKey(type);
    }

    @Override
    public JsonValue handle(String type, JsonObject data) throws Exception {
        asked.add(data);
        return handlers.get(type).handle(data);
    }
}
