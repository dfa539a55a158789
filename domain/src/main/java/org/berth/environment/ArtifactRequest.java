package org.berth.environment;

import java.util.List;
import java.util.Map;

/**
 * The contract under which one artifact comes home. Source: environments.md, Export.
 *
 * @param path relative to {@code work/artifacts} of the guest root
 * @param bytes 1 to 1048576
 * @param context declared fields and the scalar (String, Number or Boolean) that each must hold
 */
public record ArtifactRequest(
        String operationId,
        String taskId,
        String generation,
        String path,
        String sha256,
        long bytes,
        Schema schema,
        Map<String, Object> context) {
    /**
     * @param format {@code json-object/v1}
     * @param fields names and their type: string, number or boolean
     */
    public record Schema(String format, Map<String, String> fields, List<String> required) {}
}
