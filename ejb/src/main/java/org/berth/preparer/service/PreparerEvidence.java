package org.berth.preparer.service;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.placement.Evidence;
import org.berth.placement.EvidenceKind;
import org.berth.preparer.PreparerPhase;
import org.berth.preparer.PreparerPlan;

/** The evidence rows of preparers: names, counts and our own sentences. */
final class PreparerEvidence {
    private PreparerEvidence() {}

    static Evidence planned(PreparerPlan plan, int position, Instant at) {
        Map<String, Object> detail = of(plan);
        detail.put("position", position);
        return Evidence.of(at, EvidenceKind.WORKDIR_PREPARER_STATE, detail);
    }

    static Evidence setUp(PreparerPlan plan, Directories now, Instant at) {
        Map<String, Object> detail = of(plan);
        detail.put("working_directory", now.workingDirectory().toString());
        detail.put("writable_roots", now.writableRoots().size());
        return Evidence.of(at, EvidenceKind.WORKDIR_PREPARER_SETUP, detail);
    }

    /** {@code step}: plan, setup or cleanup. */
    static Evidence failed(String preparer, String step, String reason, Instant at) {
        return Evidence.of(
                at, EvidenceKind.WORKDIR_PREPARER_FAILED, Map.of("preparer", preparer, "step", step, "reason", reason));
    }

    static Evidence ended(PreparerPlan plan, PreparerPhase phase, String reason, Map<String, Object> more, Instant at) {
        if (phase == PreparerPhase.FAILED) {
            return failed(plan.preparer(), "cleanup", reason, at);
        }
        Map<String, Object> detail = new LinkedHashMap<>(more);
        detail.putAll(of(plan));
        if (reason != null) {
            detail.put("reason", reason);
        }
        return Evidence.of(
                at,
                phase == PreparerPhase.RETAINED
                        ? EvidenceKind.WORKDIR_PREPARER_RETAINED
                        : EvidenceKind.WORKDIR_PREPARER_CLEANED,
                detail);
    }

    private static Map<String, Object> of(PreparerPlan plan) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("preparer", plan.preparer());
        detail.put("binding", plan.binding());
        return detail;
    }
}
