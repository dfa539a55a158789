package org.berth.harness.service;

import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.berth.harness.job.JobChange;
import org.berth.harness.job.JobDocument;
import org.berth.harness.job.JobDocuments;
import org.berth.harness.session.StateDocument;
import org.berth.placement.CanonicalJson;

/** The documents of one session's jobs. Source: harness.md, S2: start and end are documents {@code berth.job}. */
final class StateDocuments implements JobDocuments {
    private final String sessionId;
    private final SessionChanges changes;
    private final EntryWriter entries;
    private final Clock clock;

    StateDocuments(String sessionId, SessionChanges changes, EntryWriter entries, Clock clock) {
        this.sessionId = sessionId;
        this.changes = changes;
        this.entries = entries;
        this.clock = clock;
    }

    @Override
    public Set<String> present() {
        return changes.read(stores -> stores.documents().ofType(sessionId, JobDocument.KIND)).stream()
                .map(StateDocument::key)
                .collect(Collectors.toSet());
    }

    @Override
    public void commit(List<JobChange> batch) {
        changes.change(stores -> {
            for (JobChange each : batch) {
                switch (each) {
                    case JobChange.Started started -> stores.documents().put(document(started.document()));
                    case JobChange.Ended ended -> stores.documents().retire(sessionId, JobDocument.KIND, ended.jobId());
                }
            }
            return null;
        });
    }

    private StateDocument document(JobDocument job) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("job", job.id());
        body.put("startedAfterEntry", job.startedAfterEntry());
        body.put("work", job.work());
        return new StateDocument(
                sessionId,
                JobDocument.KIND,
                job.id(),
                CanonicalJson.write(body),
                job.startedAfterEntry(),
                clock.instant().truncatedTo(ChronoUnit.MICROS));
    }

    @Override
    public void recordFailed(JobChange change, RuntimeException cause) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("job", change.jobId());
        body.put("record", change instanceof JobChange.Started ? "start" : "end");
        entries.notice(sessionId, "job_record_failed", body);
    }
}
