package org.berth.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Writes that share a transaction, on every database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class GroupCommitContractTest {
    @Parameter
    TestDatabase database;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger transactions = new AtomicInteger();
    private final AtomicInteger drains = new AtomicInteger();
    private final CountDownLatch open = new CountDownLatch(1);
    private volatile boolean gated;

    @BeforeEach
    void table() throws SQLException {
        database.clear();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists group_commit");
            statement.execute("create table group_commit (id integer primary key)");
        }
    }

    @AfterEach
    void stop() {
        open.countDown();
        threads.shutdownNow();
    }

    @Test
    void writesThatWaitShareOneTransaction() throws Exception {
        GroupCommit commits = commits();
        gated = true;
        List<CompletableFuture<Integer>> answers = submit(commits, 0, 500);
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isNotDone());
        gated = false;
        open.countDown();
        assertThat(all(answers)).isEqualTo(IntStream.range(0, 500).boxed().toList());
        assertThat(ids()).hasSize(500);
        assertThat(transactions).hasValueLessThanOrEqualTo(3);
    }

    @Test
    void nothingIsAnsweredBeforeTheCommit() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        GroupCommit commits = new GroupCommit(
                batch -> {
                    inTransaction(connection -> {
                        batch.run(connection);
                        written.countDown();
                        await(open);
                    });
                },
                threads,
                10);
        CompletableFuture<Integer> answer = submit(commits, 1);
        await(written);
        assertThat(answer).isNotDone();
        open.countDown();
        assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void aWriteThatFailsFailsItselfOnly() throws Exception {
        GroupCommit commits = commits();
        submit(commits, 7).get(10, TimeUnit.SECONDS);
        gated = true;
        List<CompletableFuture<Integer>> answers = submit(commits, 0, 20);
        gated = false;
        open.countDown();
        for (int id = 0; id < 20; id++) {
            CompletableFuture<Integer> answer = answers.get(id);
            if (id == 7) {
                assertThat(answer)
                        .failsWithin(java.time.Duration.ofSeconds(10))
                        .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                        .withCauseInstanceOf(SQLException.class);
            } else {
                assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo(id);
            }
        }
        assertThat(ids()).hasSize(20);
    }

    @Test
    void aRefusalLeavesTheOthersInTheirTransaction() throws Exception {
        GroupCommit commits = commits();
        gated = true;
        CompletableFuture<Integer> first = submit(commits, 1);
        CompletableFuture<Integer> refused = commits.<Integer>submit(connection -> {
                    throw BerthException.conflict("no");
                })
                .toCompletableFuture();
        CompletableFuture<Integer> last = submit(commits, 2);
        gated = false;
        open.countDown();
        assertThat(all(List.of(first, last))).containsExactly(1, 2);
        assertThat(refused).isCompletedExceptionally();
        assertThat(ids()).containsExactlyInAnyOrder(1, 2);
        assertThat(transactions).hasValueLessThanOrEqualTo(2);
        assertThatExceptionOfType(BerthException.class)
                .isThrownBy(() -> commits.commit(connection -> {
                    throw BerthException.conflict("no");
                }))
                .withMessage("no");
    }

    @Test
    void aFullQueueRefusesAtOnceAndWritesNothing() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        GroupCommit commits = new GroupCommit(
                batch -> {
                    entered.countDown();
                    await(open);
                    inTransaction(batch);
                },
                threads,
                2);
        CompletableFuture<Integer> written = submit(commits, 0);
        await(entered);
        List<CompletableFuture<Integer>> waiting = List.of(submit(commits, 1), submit(commits, 2));
        CompletableFuture<Integer> refused = submit(commits, 3);
        assertThat(refused)
                .isCompletedExceptionally()
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withCauseInstanceOf(BerthException.class);
        open.countDown();
        assertThat(written.get(10, TimeUnit.SECONDS)).isZero();
        assertThat(all(waiting)).containsExactly(1, 2);
        assertThat(ids()).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void withoutAConnectionEveryWriteMayBeSentAgain() {
        GroupCommit commits = new GroupCommit(
                _ -> {
                    throw new SQLException("none");
                },
                threads,
                10);
        assertThatExceptionOfType(BerthException.class)
                .isThrownBy(() -> commits.commit(_ -> 1))
                .satisfies(problem -> assertThat(problem.code()).isEqualTo(ProblemCode.UNAVAILABLE));
    }

    @Test
    void aCommitThatFailsIsNotSentAgain() {
        AtomicInteger runs = new AtomicInteger();
        GroupCommit commits = new GroupCommit(
                batch -> {
                    inTransaction(batch);
                    throw new SQLException("the answer was lost");
                },
                threads,
                10);
        assertThatExceptionOfType(BerthException.class)
                .isThrownBy(() -> commits.commit(_ -> runs.incrementAndGet()))
                .satisfies(problem -> assertThat(problem.code()).isEqualTo(ProblemCode.STORAGE));
        assertThat(runs).hasValue(1);
    }

    @Test
    void noThreadIsHeldWhileNothingWaits() throws Exception {
        GroupCommit commits = commits();
        submit(commits, 1).get(10, TimeUnit.SECONDS);
        int before = drains.get();
        submit(commits, 2).get(10, TimeUnit.SECONDS);
        assertThat(drains.get()).isBetween(before, before + 1);
        threads.shutdown();
        assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThatExceptionOfType(BerthException.class)
                .isThrownBy(() -> commits.commit(_ -> 1))
                .withCauseInstanceOf(RejectedExecutionException.class);
    }

    private GroupCommit commits() {
        return new GroupCommit(this::gatedTransaction, this::count, GroupCommit.MAX_WAITING);
    }

    private void count(Runnable drain) {
        threads.execute(drain);
        drains.incrementAndGet();
    }

    private void gatedTransaction(GroupCommit.Batch batch) throws SQLException {
        if (gated) {
            await(open);
        }
        inTransaction(batch);
    }

    private void inTransaction(GroupCommit.Batch batch) throws SQLException {
        transactions.incrementAndGet();
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            try {
                batch.run(connection);
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }

    private static List<CompletableFuture<Integer>> submit(GroupCommit commits, int from, int to) {
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (int id = from; id < to; id++) {
            answers.add(submit(commits, id));
        }
        return answers;
    }

    private static CompletableFuture<Integer> submit(GroupCommit commits, int id) {
        return commits.submit(connection -> {
                    try (PreparedStatement insert =
                            connection.prepareStatement("insert into group_commit (id) values (?)")) {
                        insert.setInt(1, id);
                        insert.executeUpdate();
                        return id;
                    }
                })
                .toCompletableFuture();
    }

    private static List<Integer> all(List<CompletableFuture<Integer>> answers) throws Exception {
        List<Integer> all = new ArrayList<>();
        for (CompletableFuture<Integer> answer : answers) {
            all.add(answer.get(10, TimeUnit.SECONDS));
        }
        return all;
    }

    private List<Integer> ids() throws SQLException {
        List<Integer> ids = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select id from group_commit")) {
            while (rows.next()) {
                ids.add(rows.getInt(1));
            }
        }
        return ids;
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the test's gate stayed shut");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
