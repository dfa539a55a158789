package org.berth.harness.call;

import java.util.Objects;

/**
 * The first record of a call.
 *
 * @param callId the id that the model gave it
 * @param tool the name of the tool
 * @param arguments the arguments as JSON text
 */
public record CallStart(String callId, String tool, String arguments) {
    public CallStart {
        Objects.requireNonNull(callId);
        Objects.requireNonNull(tool);
        Objects.requireNonNull(arguments);
    }
}
