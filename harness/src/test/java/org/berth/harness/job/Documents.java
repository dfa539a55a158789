package org.berth.harness.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A state tree in memory, whose commits fail when the test says so. */
final class Documents implements JobDocuments {
    final Set<String> nodes = new TreeSet<>();
    final List<String> commits = new ArrayList<>();
    final List<String> notices = new ArrayList<>();
    Predicate<List<JobChange>> fails = changes -> false;

    @Override
    public Set<String> present() {
        return Set.copyOf(nodes);
    }

    @Override
    public void commit(List<JobChange> changes) {
        if (fails.test(changes)) {
            throw new IllegalStateException("no commit");
        }
        commits.add(String.join(" ", changes.stream().map(Documents::text).toList()));
        for (JobChange change : changes) {
            switch (change) {
                case JobChange.Started start -> nodes.add(start.jobId());
                case JobChange.Ended end -> nodes.remove(end.jobId());
            }
        }
    }

    @Override
    public void recordFailed(JobChange change, RuntimeException cause) {
        notices.add(text(change));
    }

    static String text(JobChange change) {
        return switch (change) {
            case JobChange.Started start -> "+" + start.jobId();
            case JobChange.Ended end -> "-" + end.jobId();
        };
    }
}
