package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.berth.placement.HostMeasurement;
import org.berth.placement.Processes;
import org.berth.problem.BerthException;

/** What the supervisors measured of this host; asked once per set of supervisors. */
@ApplicationScoped
public class HostCapability {
    private static final long PROBE_MILLIS = 10_000;

    private record Known(List<String> incarnations, HostMeasurement measurement) {}

    @Inject
    private ProcessesGateway gateway;

    private volatile Known known;

    /** Fails with UNAVAILABLE when no supervisor answers. */
    public CompletionStage<HostMeasurement> measured() {
        List<String> incarnations = gateway.call(Processes::supervisors).stream()
                .map(Processes.SupervisorInfo::incarnation)
                .toList();
        if (incarnations.isEmpty()) {
            throw BerthException.unavailable("no supervisor is connected yet; try again in a moment");
        }
        Known cached = known;
        if (cached != null && cached.incarnations().equals(incarnations)) {
            return CompletableFuture.completedFuture(cached.measurement());
        }
        return gateway.call(Processes::probe)
                .toCompletableFuture()
                .orTimeout(PROBE_MILLIS, TimeUnit.MILLISECONDS)
                .handle((measurement, failure) -> {
                    if (failure instanceof TimeoutException) {
                        throw BerthException.unavailable("the supervisor's probe did not answer; try again");
                    }
                    if (failure != null) {
                        throw Failures.unwrap(failure);
                    }
                    known = new Known(incarnations, measurement);
                    return measurement;
                });
    }
}
