package org.berth.persistence;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;

/**
 * Gives back the space of dead pages in the H2 file. With WRITE_DELAY=0, which a kill of the server needs, H2 starts no
 * thread that would; without this the file grows by some 20 KB with each commit. Nothing to do on other databases.
 */
@ApplicationScoped
public class DatabaseCompaction {
    /** Below this the file is left alone. */
    private static final long WORTH_IT_BYTES = 64L << 20;

    private static final int FILL_RATE_PERCENT = 80;
    private static final int WRITE_BYTES = 4 << 20;

    @Resource(lookup = "java:jboss/datasources/BerthDS")
    private DataSource source;

    /** Works for at most about {@code bound}. @return bytes that the file lost, negative when it grew meanwhile */
    public long compact(Duration bound) throws SQLException {
        try (Connection connection = source.getConnection()) {
            if (!connection.isWrapperFor(JdbcConnection.class)) {
                return 0;
            }
            SessionLocal session =
                    (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
            return compact(session.getDatabase().getStore().getMvStore(), bound);
        }
    }

    static long compact(MVStore store, Duration bound) {
        long before = store.getFileStore().size();
        if (before < WORTH_IT_BYTES) {
            return 0;
        }
        long end = System.nanoTime() + bound.toNanos();
        int retention = store.getRetentionTime();
        // A dead chunk is kept for a power cut's sake only while the disk orders its writes; this store never forces.
        store.setRetentionTime(0);
        try {
            while (System.nanoTime() < end && store.compact(FILL_RATE_PERCENT, WRITE_BYTES)) {
                store.commit();
            }
            store.compactFile((int) Math.max(1, bound.toMillis() / 4));
        } finally {
            store.setRetentionTime(retention);
        }
        return before - store.getFileStore().size();
    }
}
