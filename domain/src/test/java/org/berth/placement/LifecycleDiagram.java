package org.berth.placement;

import org.berth.placement.AttemptLifecycle.CleanupDecision;
import org.berth.placement.AttemptLifecycle.CleanupEvent;
import org.berth.placement.AttemptLifecycle.Decision;
import org.berth.placement.AttemptLifecycle.Event;

/** The text of {@code docs/lifecycle.md}, made from the tables of {@link AttemptLifecycle}. */
final class LifecycleDiagram {
    private LifecycleDiagram() {}

    static String text() {
        StringBuilder out = new StringBuilder();
        out.append("""
                # The life of an attempt

                Two independent machines. Both are tables in `AttemptLifecycle`; this page is generated from them, and a
                test fails when the two differ. An event that a table does not list for a state is refused with CONFLICT.

                ## Execution

                ```mermaid
                stateDiagram-v2
                    [*] --> intended
                """);
        for (ExecutionState from : ExecutionState.values()) {
            for (Event event : Event.values()) {
                if (AttemptLifecycle.decide(from, event) instanceof Decision.Apply(ExecutionState next)) {
                    out.append("    %s --> %s: %s%n".formatted(Wire.name(from), Wire.name(next), Wire.name(event)));
                }
            }
        }
        out.append("""
                    exited --> [*]
                ```

                A name is the state that is recorded next; `kept` leaves the state and answers it; `refused` changes nothing.

                | event |""");
        for (ExecutionState state : ExecutionState.values()) {
            out.append(' ').append(Wire.name(state)).append(" |");
        }
        out.append("\n|---|")
                .append("---|".repeat(ExecutionState.values().length))
                .append('\n');
        for (Event event : Event.values()) {
            out.append("| ").append(Wire.name(event)).append(" |");
            for (ExecutionState state : ExecutionState.values()) {
                String cell = switch (AttemptLifecycle.decide(state, event)) {
                    case Decision.Apply(ExecutionState next) -> "**" + Wire.name(next) + "**";
                    case Decision.AlreadyDone() -> "kept";
                    case Decision.Refuse _ -> "refused";
                };
                out.append(' ').append(cell).append(" |");
            }
            out.append('\n');
        }
        out.append("""

                ## Cleanup

                Runs only from `exited`; from every other execution state it is refused.

                ```mermaid
                stateDiagram-v2
                    [*] --> pending
                """);
        for (CleanupState from : CleanupState.values()) {
            for (CleanupEvent event : CleanupEvent.values()) {
                if (AttemptLifecycle.decideCleanup(ExecutionState.EXITED, from, event)
                        instanceof CleanupDecision.Apply(CleanupState next)) {
                    out.append("    %s --> %s: %s%n".formatted(Wire.name(from), Wire.name(next), Wire.name(event)));
                }
            }
        }
        out.append("""
                    complete --> [*]
                ```
                """);
        return out.toString();
    }
}
