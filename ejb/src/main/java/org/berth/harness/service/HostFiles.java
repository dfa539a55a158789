package org.berth.harness.service;

import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.io.IOException;
import org.berth.harness.files.FileRequests;
import org.berth.harness.files.FsException;
import org.berth.harness.frame.HostRefusal;
import org.berth.harness.kernel.HostDispatch;
import org.berth.harness.transport.FsRequests;

/** Serves a kernel's file requests with the host's files, and nothing else. */
final class HostFiles implements HostDispatch {
    private volatile FileRequests files;

    HostFiles(FileRequests files) {
        this.files = files;
    }

    /** Serves these from now on. */
    void share(FileRequests others) {
        files = others;
    }

    @Override
    public boolean serves(String type) {
        return FsRequests.TYPES.contains(type);
    }

    @Override
    public JsonValue handle(String type, JsonObject data) throws HostRefusal, IOException {
        try {
            return files.handle(type, data);
        } catch (FsException refused) {
            throw new HostRefusal(refused.getMessage(), refused.details());
        }
    }
}
