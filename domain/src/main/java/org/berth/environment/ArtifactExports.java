package org.berth.environment;

import java.util.Map;
import org.berth.work.Actor;

/** The entry to artifact exports, for the REST route and for the MCP tool. */
public interface ArtifactExports {
    /**
     * Brings the artifact home, or answers the receipt of the same operation.
     *
     * @return the receipt as a JSON tree
     */
    Map<String, Object> export(String bindingId, ArtifactRequest request, Actor actor);
}
