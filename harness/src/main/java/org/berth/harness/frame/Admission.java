package org.berth.harness.frame;

/** What the gate decided on one frame. */
public sealed interface Admission {
    /** A request for exactly one handler call; {@code reply} takes exactly one settlement. */
    record Accepted(HostRequest request, PendingReply reply) implements Admission {}

    /** A request that does nothing; the gate has written its one reply. {@code diagnostic} is for the host's log. */
    record Refused(Refusal refusal, String id, String diagnostic) implements Admission {}

    /** Any other event; {@code frame} is lent, good only during the call. */
    record Event(String name, Frame frame) implements Admission {}

    /** An output event that was too large: nothing of it is used. */
    record Dropped(String event, String diagnostic) implements Admission {}

    /** The last decision of a gate. */
    record Fault(ProtocolFault fault) implements Admission {}

    /** Why a request was refused. */
    enum Refusal {
        OVERSIZED,
        NO_TYPE,
        NOT_SERVED,
        DUPLICATE
    }
}
