package org.berth.cli.launch;

import jakarta.json.JsonObject;
import org.berth.cli.terminal.Terminal;

/** What is asked of the server to become an attempt: a command, or a run of an agent. */
public sealed interface Launch permits LaunchSpec, AgentSpec {
    /** The attempt's id, new on the server. */
    String attemptId();

    /** The terminal's size; null for pipes. */
    Terminal.Size window();

    /** What the grant of the working directory gives: read or write. */
    String access();

    /** Where {@link #request} is posted. */
    String route();

    /** @param grantRef the grant of the working directory; null to run in the attempt's home */
    JsonObject request(String ownerId, String grantRef);

    /** The attempt in what the route answers. */
    JsonObject attempt(JsonObject answer);
}
