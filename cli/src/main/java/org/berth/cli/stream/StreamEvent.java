package org.berth.cli.stream;

/** What comes from the server over one connection. Source: api.md, Stream. */
sealed interface StreamEvent {
    /** @param sequence from 1 over all streams of the attempt */
    record Output(OutputStreamName stream, boolean eof, boolean truncated, long sequence, byte[] data)
            implements StreamEvent {}

    /** @param reason null when accepted */
    record InputAck(String writeId, boolean accepted, String reason) implements StreamEvent {}

    record Exited(Ending ending) implements StreamEvent {}

    /** @param generation the one in force: this client's own when another connection of its own replaced this one */
    record Fenced(long generation) implements StreamEvent {}

    /** The connection ended; nothing follows. {@code code} is the WebSocket's close code, 0 when it broke. */
    record Lost(int code) implements StreamEvent {}

    /** A frame that this program does not need. */
    record Other() implements StreamEvent {}
}
