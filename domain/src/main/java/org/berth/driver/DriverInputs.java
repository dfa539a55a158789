package org.berth.driver;

import java.nio.file.Path;
import org.berth.problem.BerthException;

/**
 * What the host selected for a launch; no secret is among it.
 *
 * @param profile the policy's profile
 * @param model null for the program's own choice
 * @param effort null for the program's own choice
 * @param instructions what the agent is told beside its prompt; null for nothing
 * @param edits whether the agent may edit
 * @param endpoint URL of the model provider's interface; null for the program's own. In front of a program that takes it
 *     from its environment, the policy may set that variable instead
 * @param keyVariable the variable that holds the key of {@code endpoint}; null for none, and without an endpoint
 * @param gateway Berth's own tools and hooks; null for none
 * @param home absolute path of the private home
 */
public record DriverInputs(
        String profile,
        String model,
        String effort,
        String instructions,
        boolean edits,
        String endpoint,
        String keyVariable,
        Gateway gateway,
        Path home) {
    public DriverInputs {
        if (keyVariable != null && endpoint == null) {
            throw BerthException.invalid("a key's variable is only for an endpoint; give the policy an endpoint");
        }
    }

    /**
     * Berth's listeners, as the program reaches them. Tokens come by variables, never by value.
     *
     * @param toolsUrl of the MCP listener
     * @param toolsVariable holds the bearer token of the tools
     * @param hooksUrl where activity is posted; null for no hooks
     * @param hooksVariable holds the bearer token of the hooks; null for no hooks
     */
    public record Gateway(String toolsUrl, String toolsVariable, String hooksUrl, String hooksVariable) {}
}
