package org.berth.environment.service;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentCheckpoints;
import org.berth.problem.BerthException;

/** Checkpoints in memory, whose bytes may be told to have changed. */
final class MemoryCheckpoints implements EnvironmentCheckpoints {
    final Map<String, EnvironmentCheckpoint> kept = new LinkedHashMap<>();

    /** What the next verifications refuse with; null for nothing. */
    BerthException refusal;

    @Override
    public Optional<EnvironmentCheckpoint> find(String checkpointId) {
        return Optional.ofNullable(kept.get(checkpointId));
    }

    @Override
    public Optional<EnvironmentCheckpoint> newest(String bindingId) {
        return kept.values().stream()
                .filter(each -> each.bindingId().equals(bindingId))
                .reduce((first, second) -> second);
    }

    @Override
    public void verify(EnvironmentCheckpoint checkpoint) {
        if (refusal != null) {
            throw refusal;
        }
    }

    @Override
    public byte[] history(EnvironmentCheckpoint checkpoint) {
        verify(checkpoint);
        return checkpoint.nativeId().getBytes(StandardCharsets.UTF_8);
    }
}
