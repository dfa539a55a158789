package org.berth.mcp;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** The queue's tools. */
@ApplicationScoped
public class QueueTools {
    List<RigTool> tools() {
        return List.of();
    }
}
