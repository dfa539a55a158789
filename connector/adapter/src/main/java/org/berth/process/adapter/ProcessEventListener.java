package org.berth.process.adapter;

import org.berth.placement.ProcessEvent;

/**
 * What a message-driven bean hears from the supervisors. Calls carry no caller. A call that ends with an exception or a
 * rolled-back transaction comes again, after a pause; a call that committed is acknowledged to the supervisor. An event
 * whose acknowledgement was lost comes again, so recording must be idempotent by (attemptKey, sequence).
 */
public interface ProcessEventListener {
    /** One journalled fact, in order per attempt; never output. */
    void onEvent(ProcessEvent event);

    /** A supervisor is connected, its attempts are known and its events follow. */
    void onSupervisorConnected(String incarnation);

    /** The way to this supervisor is lost. Its children may go on; nothing is proven by this. */
    void onSupervisorLost(String incarnation);
}
