package org.berth.harness.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.berth.harness.transport.KernelLaunch;

/** A kernel as a child process of the test, without a supervisor. */
final class ProcessKernel implements KernelChannel, AutoCloseable {
    /** Only a broken kernel lets a wait end by time. */
    static final long PATIENCE_SECONDS = 60;

    final Process process;
    final RecordingListener listener = new RecordingListener();
    final KernelClient client;
    private final CountDownLatch over = new CountDownLatch(1);

    ProcessKernel(KernelLaunch launch, HostDispatch dispatch) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(launch.argv());
        builder.directory(launch.workingDirectory().toFile());
        builder.environment().clear();
        builder.environment().putAll(launch.environment());
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        process = builder.start();
        client = new KernelClient(this, listener, dispatch, Executors.newVirtualThreadPerTaskExecutor());
        Thread.ofVirtual().start(this::read);
    }

    private void read() {
        byte[] chunk = new byte[16 << 10];
        try (InputStream output = process.getInputStream()) {
            for (int count = output.read(chunk); count >= 0; count = output.read(chunk)) {
                client.received(ByteBuffer.wrap(chunk, 0, count));
            }
        } catch (IOException e) {
            // The process was killed while it was read: its output is over.
            listener.diagnostic("the pipe was closed");
        } finally {
            client.ended();
            over.countDown();
        }
    }

    @Override
    public synchronized void write(byte[] line) {
        try {
            process.getOutputStream().write(line);
            process.getOutputStream().flush();
        } catch (IOException e) {
            listener.diagnostic("the kernel takes nothing more");
        }
    }

    @Override
    public void closeInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void kill() {
        process.destroyForcibly();
    }

    Done done(KernelRequest request) throws Exception {
        return request.done().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    void awaitReady() throws Exception {
        client.ready().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    int awaitExit() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || !over.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the kernel does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
        try {
            awaitExit();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
