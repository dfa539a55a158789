package org.berth.retention.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.berth.host.service.Host;
import org.berth.json.StrictJson;
import org.berth.placement.store.AttemptRepository;
import org.berth.retention.RetentionHolds;
import org.berth.retention.RetentionReferences;

/** The bindings of which an attempt that is not over shows or serves something. */
@ApplicationScoped
public class AttemptReferences implements RetentionReferences {
    @Inject
    private Host host;

    @Inject
    private AttemptRepository attempts;

    @Override
    public void addTo(RetentionHolds.Builder holds) {
        attempts.unfinished(host.hostId()).forEach(attempt -> {
            if (StrictJson.object(attempt.requestJson()).get("binding_ref") instanceof String bindingId) {
                holds.binding(bindingId);
            }
        });
    }
}
