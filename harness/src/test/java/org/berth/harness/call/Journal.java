package org.berth.harness.call;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A journal in memory, whose next commit fails when the test says so. */
final class Journal implements CallJournal {
    final List<String> records = new ArrayList<>();
    final List<CallSettle> settles = new ArrayList<>();
    boolean fails;

    @Override
    public void start(CallStart start) {
        check();
        records.add("start " + start.callId() + " " + start.tool());
    }

    @Override
    public void settle(CallSettle settle) {
        check();
        settles.add(settle);
        records.add("settle " + settle.outcome() + " " + text(settle.progress()));
    }

    private void check() {
        if (fails) {
            throw new IllegalStateException("no commit");
        }
    }

    static String text(CallProgress progress) {
        return progress.callId() + " "
                + HexFormat.of().formatHex(progress.output().kept()) + " "
                + progress.output().droppedBytes() + " " + progress.warnings() + " "
                + progress.usage().amounts();
    }

    static String text(BoardEvent event) {
        return switch (event) {
            case BoardEvent.Running running ->
                "running " + running.calls().stream().map(Journal::text).toList();
            case BoardEvent.Started started -> "started " + started.callId() + " " + started.tool();
            case BoardEvent.Changed changed ->
                "changed " + changed.callId() + " "
                        + switch (changed.change()) {
                            case CallChange.Wrote wrote -> HexFormat.of().formatHex(wrote.bytes());
                            case CallChange.Warned warned -> warned.warning();
                            case CallChange.Used used -> used.usage().amounts().toString();
                        };
            case BoardEvent.Ended ended -> "ended " + ended.callId();
        };
    }
}
