package org.berth.harness.kernel;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.util.Objects;
import org.berth.harness.frame.HostRefusal;
import org.berth.harness.transport.FsError;
import org.berth.harness.transport.FsRequests;

/** Puts the path map of a wrapped kernel before the handlers of file requests; every other request passes. */
public final class FsDispatch implements HostDispatch {
    private final FsRequests paths;
    private final HostDispatch handlers;

    public FsDispatch(FsRequests paths, HostDispatch handlers) {
        this.paths = Objects.requireNonNull(paths);
        this.handlers = Objects.requireNonNull(handlers);
    }

    @Override
    public boolean serves(String type) {
        return handlers.serves(type);
    }

    @Override
    public JsonValue handle(String type, JsonObject data) throws Exception {
        if (!FsRequests.TYPES.contains(type)) {
            return handlers.handle(type, data);
        }
        return switch (paths.toHost(data)) {
            case FsRequests.Outcome.Mapped mapped -> paths.toSandbox(handlers.handle(type, mapped.data()));
            case FsRequests.Outcome.Refused(FsError error) -> throw new HostRefusal(error.message(), error.details());
        };
    }
}
