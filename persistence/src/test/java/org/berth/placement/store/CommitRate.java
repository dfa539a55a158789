package org.berth.placement.store;

import java.util.List;
import org.berth.persistence.TestDatabase;
import org.berth.placement.EvidenceKind;

/** Prints how many transactions of lock and save, with one row of evidence each, one thread commits in a second. */
final class CommitRate {
    private CommitRate() {}

    /** {@code arguments}: the databases, H2 and POSTGRESQL. */
    public static void main(String[] arguments) {
        for (String name : arguments) {
            TestDatabase database = TestDatabase.valueOf(name);
            database.clear();
            database.inTransaction(
                    entities -> new AttemptRepository(entities).insert(Attempts.anAttempt("a"), List.of()));
            measure(database, 3000);
            System.out.printf("%s: %.0f commits/s%n", name, measure(database, 10_000));
        }
    }

    private static double measure(TestDatabase database, int rounds) {
        long begin = System.nanoTime();
        for (int i = 0; i < rounds; i++) {
            database.inTransaction(entities -> {
                AttemptRepository store = new AttemptRepository(entities);
                var locked = store.lock("a").orElseThrow();
                return store.save(
                        locked.change()
                                .recordedEvents(locked.recordedEvents() + 1)
                                .apply(),
                        List.of(Attempts.fact(EvidenceKind.RECONCILE_ALIVE)));
            });
        }
        return rounds * 1e9 / (System.nanoTime() - begin);
    }
}
