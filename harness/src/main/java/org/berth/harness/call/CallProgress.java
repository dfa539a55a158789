package org.berth.harness.call;

import java.util.List;
import org.berth.harness.output.OutputView;

/**
 * Everything that a call has reported so far.
 *
 * @param output what is kept of its output, and how much is not
 */
public record CallProgress(String callId, String tool, OutputView output, List<String> warnings, Usage usage) {
    public CallProgress {
        warnings = List.copyOf(warnings);
    }
}
