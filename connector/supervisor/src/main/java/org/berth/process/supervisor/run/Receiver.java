package org.berth.process.supervisor.run;

import org.berth.process.protocol.Frame;

/** Where an attempt's output goes: one connection. */
public interface Receiver {
    /** Whether it can take more now; it asks for more when it can again. */
    boolean takesMore();

    void send(Frame.Notice notice);
}
