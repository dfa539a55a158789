package org.berth.environment.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.berth.environment.BindingRecord;
import org.berth.environment.DriverKind;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentConfig;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentTrees;
import org.berth.environment.Ownership;
import org.berth.environment.ProjectionReceipt;
import org.berth.placement.CanonicalJson;
import org.berth.placement.store.StoredValues;
import org.hibernate.Length;

/** The row of one binding; what queries look for stands beside the JSON that holds it. */
@Entity
@Table(name = "environment_bindings")
class BindingEntity {
    @Id
    @Column(name = "binding_id")
    String bindingId;

    @Column(name = "incarnation", updatable = false)
    String incarnation;

    @Column(name = "host_id", updatable = false)
    String hostId;

    @Column(name = "node_id")
    String nodeId;

    @Column(name = "seat", updatable = false)
    String seat;

    @Column(name = "rig", updatable = false)
    String rig;

    @Column(name = "ownership", updatable = false)
    String ownership;

    @Column(name = "driver")
    String driver;

    @Column(name = "gateway")
    String gateway;

    @Column(name = "workspace")
    String workspace;

    @Column(name = "held_name")
    String heldName;

    @Column(name = "resource_phase")
    String resourcePhase;

    @Column(name = "generation")
    String generation;

    @Column(name = "config_json", length = Length.LONG32)
    String config;

    @Column(name = "resource_json", length = Length.LONG32)
    String resource;

    @Column(name = "projection_json", length = Length.LONG32)
    String projection;

    @Column(name = "created_at", updatable = false)
    Instant createdAt;

    @Column(name = "updated_at")
    Instant updatedAt;

    protected BindingEntity() {}

    static BindingEntity of(BindingRecord record, Instant now) {
        BindingEntity row = new BindingEntity();
        row.bindingId = record.bindingId();
        row.incarnation = record.incarnation();
        row.hostId = record.hostId();
        row.seat = record.binding().config().seat();
        row.rig = row.seat.substring(row.seat.indexOf('@') + 1);
        row.ownership = record.binding().ownership().wire();
        row.createdAt = StoredValues.micros(record.createdAt());
        row.change(record, now);
        return row;
    }

    /** Takes over the parts that may change. */
    void change(BindingRecord record, Instant now) {
        EnvironmentConfig changed = record.binding().config();
        EnvironmentPlacement placement = changed.placement();
        EnvironmentResource observed = record.binding().resource();
        nodeId = changed.nodeId();
        driver = driver(DriverKind.of(placement.gateway()));
        gateway = placement.gateway();
        workspace = placement.workspace();
        heldName = record.holdsName() ? nameToHold(placement.name()) : null;
        generation = record.binding().generation();
        config = CanonicalJson.write(EnvironmentTrees.config(changed));
        resourcePhase = observed == null ? null : observed.phase();
        resource = observed == null ? null : CanonicalJson.write(EnvironmentTrees.resource(observed));
        List<ProjectionReceipt> files = record.projection();
        projection = files == null
                ? null
                : CanonicalJson.write(
                        files.stream().map(EnvironmentTrees::receipt).toList());
        updatedAt = StoredValues.micros(now);
    }

    /** A name that was reserved beside the placement's stays until the placement has another. */
    private String nameToHold(String selected) {
        boolean renamed = config == null
                || !selected.equals(EnvironmentTrees.configOf(StoredValues.map(config))
                        .placement()
                        .name());
        return heldName == null || renamed ? selected : heldName;
    }

    BindingRecord toRecord() {
        EnvironmentBinding binding = new EnvironmentBinding(
                EnvironmentTrees.configOf(StoredValues.map(config)),
                OperationEntity.constant(Ownership.class, ownership),
                resource == null ? null : EnvironmentTrees.resourceOf(StoredValues.map(resource)),
                generation);
        return new BindingRecord(
                binding, incarnation, hostId, heldName != null, projection == null ? null : files(), createdAt);
    }

    /** How a kind stands in its column. */
    static String driver(DriverKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private List<ProjectionReceipt> files() {
        return StoredValues.list(projection).stream()
                .map(each -> EnvironmentTrees.receiptOf(names((Map<?, ?>) each)))
                .toList();
    }

    private static Map<String, Object> names(Map<?, ?> stored) {
        Map<String, Object> tree = new LinkedHashMap<>();
        stored.forEach((name, value) -> tree.put((String) name, value));
        return tree;
    }
}
