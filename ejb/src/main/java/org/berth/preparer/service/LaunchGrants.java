package org.berth.preparer.service;

import java.nio.file.Path;
import java.util.List;
import org.berth.placement.Attempt;

/** What an attempt's grants allow on this host. */
public interface LaunchGrants {
    /** The physical directories that the attempt may write; none that reaches Berth's own state. */
    List<Path> writeRoots(Attempt attempt);

    /** Whether every grant of the attempt still holds. */
    boolean hold(Attempt attempt);

    /** Whether a physical path lies in a copy that Berth made in its own state for a launch. */
    boolean isOwnCopy(Path path);
}
