package org.berth.harness.job.model;

import java.util.List;
import java.util.Optional;
import org.berth.harness.output.model.OutputModel;

/**
 * A job as the rules see it.
 *
 * @param startedAfter the number of entries that were committed before its start
 * @param end empty while it runs
 */
public record ModelJob(String id, int startedAfter, OutputModel output, Optional<String> end) {
    /** The job after output. */
    public ModelJob wrote(List<Byte> chunk) {
        return end.isPresent() ? this : new ModelJob(id, startedAfter, output.write(chunk), end);
    }

    /** The job after an exit or a kill. */
    public ModelJob ended(String how) {
        return end.isPresent() ? this : new ModelJob(id, startedAfter, output.end(), Optional.of(how));
    }

    boolean runs() {
        return end.isEmpty();
    }
}
