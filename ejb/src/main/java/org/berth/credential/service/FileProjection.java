package org.berth.credential.service;

import java.util.Optional;
import org.berth.host.HostPolicy;
import org.berth.placement.PrepareRequest;

/** The one projection of a request that is a login file, as the host policy has it now. */
record FileProjection(String id, HostPolicy.Credential credential) {
    /** Empty when the request has none. */
    static Optional<FileProjection> of(HostPolicy host, PrepareRequest request) {
        return request.projections().stream()
                .filter(id -> host.credentials().containsKey(id))
                .map(id -> new FileProjection(id, host.credentials().get(id)))
                .filter(each -> each.credential.kind() == HostPolicy.CredentialKind.FILE)
                .findFirst();
    }
}
