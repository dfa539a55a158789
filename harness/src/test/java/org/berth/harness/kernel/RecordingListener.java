package org.berth.harness.kernel;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.berth.harness.frame.ProtocolFault;

/** Writes down what a kernel does on its own. */
final class RecordingListener implements KernelListener {
    final List<String> output = new CopyOnWriteArrayList<>();
    final List<String> diagnostics = new CopyOnWriteArrayList<>();
    final List<ProtocolFault> faults = new CopyOnWriteArrayList<>();
    volatile boolean ended;

    @Override
    public void output(OutputStream stream, String text) {
        output.add(stream + ":" + text);
    }

    @Override
    public void diagnostic(String sentence) {
        diagnostics.add(sentence);
    }

    @Override
    public void fault(ProtocolFault fault) {
        faults.add(fault);
    }

    @Override
    public void ended() {
        ended = true;
    }
}
