package org.berth.placement.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** The row of one node; written once. */
@Entity
@Table(name = "hosts")
class HostEntity {
    @Id
    @Column(name = "host_id")
    String hostId;

    @Column(name = "instance", updatable = false)
    String instance;

    @Column(name = "created_at", updatable = false)
    Instant createdAt;

    protected HostEntity() {}
}
