package org.berth.harness.kernel;

import org.berth.harness.frame.ProtocolFault;

/** What one kernel does outside the requests of its client. Called on the thread that feeds; must not wait. */
public interface KernelListener {
    /** Output that no open request owns: raw bytes of children, threads, tasks of cells that are over. */
    void output(OutputStream stream, String text);

    /** One sentence for the log. */
    void diagnostic(String sentence);

    /** The kernel broke the protocol: its requests have failed with the fault and it was killed; it must be replaced. */
    void fault(ProtocolFault fault);

    /** The kernel's output is at its end; every open request has failed. The last call. */
    void ended();
}
