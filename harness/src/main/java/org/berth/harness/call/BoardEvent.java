package org.berth.harness.call;

import java.util.List;

/** What an observer of a session's calls hears. */
public sealed interface BoardEvent {
    /** The first event of every observer: the last progress of each running call. */
    record Running(List<CallProgress> calls) implements BoardEvent {
        public Running {
            calls = List.copyOf(calls);
        }
    }

    /** A call runs. */
    record Started(String callId, String tool) implements BoardEvent {}

    /** A call reported something. */
    record Changed(String callId, CallChange change) implements BoardEvent {}

    /** The settle of a call is committed; nothing of the call comes after it. */
    record Ended(String callId) implements BoardEvent {}
}
