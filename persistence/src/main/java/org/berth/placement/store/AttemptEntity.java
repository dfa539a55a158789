package org.berth.placement.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import org.hibernate.Length;
import org.hibernate.annotations.DynamicUpdate;

/** The row of one attempt. {@link AttemptMapper} says what each column means. */
@Entity
@Table(name = "attempts")
@DynamicUpdate
class AttemptEntity {
    @Id
    @Column(name = "attempt_id")
    String attemptId;

    @Column(name = "action_id", updatable = false)
    String actionId;

    @Column(name = "owner_id", updatable = false)
    String ownerId;

    @Column(name = "owner_incarnation", updatable = false)
    long ownerIncarnation;

    @Column(name = "idempotency_key", updatable = false)
    String idempotencyKey;

    @Column(name = "request_digest", updatable = false)
    String requestDigest;

    @Column(name = "request_json", updatable = false, length = Length.LONG32)
    String requestJson;

    @Column(name = "attempt_key", updatable = false)
    String attemptKey;

    @Column(name = "nonce", updatable = false)
    String nonce;

    @Column(name = "host_id", updatable = false)
    String hostId;

    @Column(name = "policy_ref", updatable = false)
    String policyRef;

    @Column(name = "executable_path", updatable = false)
    String executablePath;

    @Column(name = "session_ref", updatable = false)
    String sessionRef;

    @Column(name = "session_key", updatable = false)
    String sessionKey;

    @Column(name = "session_holder")
    String sessionHolder;

    @Column(name = "resources_json", length = Length.LONG32)
    String resourcesJson;

    @Column(name = "execution_state")
    String executionState;

    @Column(name = "cleanup_state")
    String cleanupState;

    @Column(name = "capability", updatable = false)
    String capability;

    @Column(name = "required_cleanup", updatable = false)
    String requiredCleanup;

    @Column(name = "exit_observation", updatable = false)
    String exitObservation;

    @Column(name = "runner_id")
    String runnerId;

    @Column(name = "child_pid")
    Long childPid;

    @Column(name = "child_group")
    Long childGroup;

    @Column(name = "child_start_ticks")
    Long childStartTicks;

    @Column(name = "child_boot_id")
    String childBootId;

    @Column(name = "tree_init_pid")
    Long treeInitPid;

    @Column(name = "tree_init_start_ticks")
    Long treeInitStartTicks;

    @Column(name = "tree_inner_pid")
    Long treeInnerPid;

    @Column(name = "tree_inner_start_ticks")
    Long treeInnerStartTicks;

    @Column(name = "exit_kind")
    String exitKind;

    @Column(name = "exit_code")
    Integer exitCode;

    @Column(name = "exit_signal")
    Integer exitSignal;

    @Column(name = "exit_reason")
    String exitReason;

    @Column(name = "exit_source")
    String exitSource;

    @Column(name = "stop_requested")
    String stopRequested;

    @Column(name = "attachment_generation")
    long attachmentGeneration;

    @Column(name = "recorded_events")
    long recordedEvents;

    @Column(name = "evidence_count")
    long evidenceCount;

    @Column(name = "created_at", updatable = false)
    Instant createdAt;

    @Column(name = "updated_at")
    Instant updatedAt;

    @Column(name = "last_swept_at")
    Instant lastSweptAt;

    @Version
    @Column(name = "version")
    long version;

    protected AttemptEntity() {}
}
