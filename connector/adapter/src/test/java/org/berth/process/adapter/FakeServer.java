package org.berth.process.adapter;

import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.XATerminator;
import jakarta.resource.spi.work.ExecutionContext;
import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkContext;
import jakarta.resource.spi.work.WorkListener;
import jakarta.resource.spi.work.WorkManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.Queue;
import java.util.Timer;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The part of an application server that the adapter is started by: a thread per work. */
final class FakeServer implements BootstrapContext, WorkManager {
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final TransactionSynchronizationRegistry transactions;

    FakeServer(TransactionSynchronizationRegistry transactions) {
        this.transactions = transactions;
    }

    @Override
    public WorkManager getWorkManager() {
        return this;
    }

    @Override
    public XATerminator getXATerminator() {
        return null;
    }

    @Override
    public Timer createTimer() {
        return new Timer(true);
    }

    @Override
    public boolean isContextSupported(Class<? extends WorkContext> type) {
        return true;
    }

    @Override
    public TransactionSynchronizationRegistry getTransactionSynchronizationRegistry() {
        return transactions;
    }

    @Override
    public void doWork(Work work) {
        work.run();
    }

    @Override
    public void doWork(Work work, long timeout, ExecutionContext context, WorkListener listener) {
        work.run();
    }

    @Override
    public long startWork(Work work) {
        scheduleWork(work);
        return 0;
    }

    @Override
    public long startWork(Work work, long timeout, ExecutionContext context, WorkListener listener) {
        return startWork(work);
    }

    @Override
    public void scheduleWork(Work work) {
        threads.add(Thread.ofPlatform().daemon().start(work));
    }

    /** Waits until every work has ended. */
    void awaitEnd() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(AdapterFixture.PATIENCE);
        }
    }

    @Override
    public void scheduleWork(Work work, long timeout, ExecutionContext context, WorkListener listener) {
        scheduleWork(work);
    }
}
