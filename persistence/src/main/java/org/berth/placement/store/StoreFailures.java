package org.berth.placement.store;

import jakarta.persistence.LockTimeoutException;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PessimisticLockException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import org.hibernate.exception.ConstraintViolationException;

/** Tells the failures of the database apart. */
public final class StoreFailures {
    /** Source: SQL:2016 class 40 (serialization, deadlock), PostgreSQL 55P03, H2 HYT00 (lock timeout) and 90131. */
    private static final Set<String> LOCK_STATES = Set.of("40001", "40P01", "55P03", "HYT00", "90131");

    private StoreFailures() {}

    /**
     * Whether the same work in a new transaction may succeed: a lock was not got in time, a deadlock was broken, or the
     * row changed meanwhile. Looks through the causes, so that a container's wrapper does not matter.
     */
    public static boolean retryable(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            boolean lock = switch (each) {
                case AttemptChangedException _ -> true;
                case LockTimeoutException _ -> true;
                case PessimisticLockException _ -> true;
                case OptimisticLockException _ -> true;
                case SQLException sql -> sql.getSQLState() != null && LOCK_STATES.contains(sql.getSQLState());
                default -> false;
            };
            if (lock) {
                return true;
            }
        }
        return false;
    }

    /** Whether a unique value was taken meanwhile: the same work in a new transaction sees by whom. */
    public static boolean taken(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException sql && "23505".equals(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    /** The typed failure of a violated unique constraint of {@code attempts}; else {@code failure} itself. */
    static RuntimeException ofAttempts(RuntimeException failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof ConstraintViolationException violation
                    && "23505".equals(violation.getSQLException().getSQLState())) {
                return typed(violation);
            }
        }
        return failure;
    }

    private static RuntimeException typed(ConstraintViolationException violation) {
        String text = naming(violation.getConstraintName())
                + " "
                + naming(violation.getSQLException().getMessage());
        if (text.contains("attempts_session_holder")) {
            return new SessionHeldException(violation);
        }
        if (text.contains("attempts_idempotency")) {
            return new AttemptExistsException(AttemptExistsException.Taken.IDEMPOTENCY_KEY, violation);
        }
        if (text.contains("attempts_attempt_key")) {
            return new AttemptExistsException(AttemptExistsException.Taken.ATTEMPT_KEY, violation);
        }
        if (text.contains("attempts_pk") || text.contains("attempts(attempt_id)")) {
            return new AttemptExistsException(AttemptExistsException.Taken.ATTEMPT_ID, violation);
        }
        return violation;
    }

    /**
     * The part of a database's text that names the constraint, without the values, which are a caller's. H2 names a
     * generated index for a primary key, so its columns tell; PostgreSQL's first line holds the name alone.
     */
    private static String naming(String text) {
        return text == null ? "" : text.toLowerCase(Locale.ROOT).split("\n| values ", 2)[0];
    }
}
