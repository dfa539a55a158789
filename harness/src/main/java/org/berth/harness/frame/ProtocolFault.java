package org.berth.harness.frame;

/** A line that the host cannot answer: the request in flight fails with it, and the kernel is replaced. */
public final class ProtocolFault extends Exception {
    /** What was wrong with the line. */
    public enum Reason {
        /** Its bytes are no well-formed UTF-8. */
        NOT_UTF8("a line is not UTF-8"),
        /** It is no JSON object with an event, or a host request whose id cannot be read. */
        NOT_A_FRAME("a line is not a protocol frame"),
        /** It is over the limit and its head shows nothing that can be answered or dropped. */
        OVERSIZED("an oversized line has no host-request header"),
        /** The output ended before its newline. */
        CUT("the output ended inside a line");

        private final String sentence;

        Reason(String sentence) {
            this.sentence = sentence;
        }
    }

    private final Reason reason;

    public ProtocolFault(Reason reason) {
        super(reason.sentence);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
