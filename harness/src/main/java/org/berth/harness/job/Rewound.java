package org.berth.harness.job;

import java.util.List;

/**
 * What a rewind did to the jobs.
 *
 * @param stoppedJobs killed jobs whose end came within the wait
 * @param stoppingJobs killed jobs that had not ended yet
 */
public record Rewound(List<String> stoppedJobs, List<String> stoppingJobs) {
    public Rewound {
        stoppedJobs = List.copyOf(stoppedJobs);
        stoppingJobs = List.copyOf(stoppingJobs);
    }
}
