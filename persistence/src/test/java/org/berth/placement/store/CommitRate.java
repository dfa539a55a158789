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
            measure(database, 2000);
            System.out.printf("%s: %.0f commits/s%n", name, measure(database, 5000));
        }
    }

    /** On one held connection, as a server's pool gives it: a fresh one costs H2 a query of its settings. */
    private static double measure(TestDatabase database, int rounds) {
        return database.reading(entities -> {
            AttemptRepository store = new AttemptRepository(entities);
            long begin = System.nanoTime();
            for (int i = 0; i < rounds; i++) {
                entities.getTransaction().begin();
                var locked = store.lock("a").orElseThrow();
                store.save(
                        locked.change()
                                .recordedEvents(locked.recordedEvents() + 1)
                                .apply(),
                        List.of(Attempts.fact(EvidenceKind.RECONCILE_ALIVE)));
                entities.getTransaction().commit();
                entities.clear();
            }
            return rounds * 1e9 / (System.nanoTime() - begin);
        });
    }
}
