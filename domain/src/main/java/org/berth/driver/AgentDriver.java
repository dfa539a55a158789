package org.berth.driver;

import java.nio.file.Path;
import java.util.List;

/**
 * How one agent program is run under placement. Stateless, for any thread. Source: placement.md, Provider homes,
 * credentials, configuration.
 */
public interface AgentDriver {
    DriverDefinition definition();

    /**
     * The command of one run, as a caller puts it into {@code launch}: nothing of the policy is in it.
     *
     * @throws org.berth.problem.BerthException INVALID when the run does not fit the profile, naming the field
     */
    AgentCommand command(AgentRun run);

    /**
     * The host-selected inputs in the program's own formats. Pure: the same inputs give the same bytes, and no secret is
     * among them.
     *
     * @throws org.berth.problem.BerthException INVALID when an input cannot be said in the program's format, or a file
     *     would be larger than {@link DeliveredFile#MOST_BYTES}
     */
    Delivery render(DriverInputs inputs);

    /**
     * What lets the program write below {@code roots}, for a launch whose working directory may be written.
     *
     * @param roots physical paths, all inside write grants
     * @param edits whether the policy lets the agent edit
     * @return arguments that go before the launch's own; empty for a profile without an edit mode, and for a program that
     *     takes none
     */
    default List<String> writableRoots(String profile, boolean edits, List<Path> roots) {
        return List.of();
    }

    /**
     * The files that let the program start without a question, beside its login. Their content is composed with what a
     * {@link SetupFile} brought.
     *
     * @param facts what is true of this launch
     * @return files by path below the home; empty where the program needs none
     */
    default List<SetupFile> initialisers(SeedFacts facts) {
        return List.of();
    }

    /**
     * Whether the private home holds a conversation that a next turn continues; looks at names only, follows no link.
     *
     * @param home the retained home
     * @param conversationId what {@link AgentRun#conversationId()} was
     */
    boolean hasConversation(Path home, String conversationId);

    /**
     * What is true of a launch when its home is seeded.
     *
     * @param loginPresent the broker gave login bytes
     * @param apiKey a credential of kind environment is given
     * @param window the profile is a window
     * @param workingDirectory physical path of the agent's directory
     * @param home absolute path of the private home
     */
    record SeedFacts(boolean loginPresent, boolean apiKey, boolean window, Path workingDirectory, Path home) {}
}
