package org.berth.environment;

import java.util.List;

/** What a provider lists. Absence may be read from it only when it is {@code complete}. */
public record EnvironmentListing(boolean complete, List<EnvironmentResource> resources) {
    public EnvironmentListing {
        resources = List.copyOf(resources);
    }
}
