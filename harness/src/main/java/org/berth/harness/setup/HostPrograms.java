package org.berth.harness.setup;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Child processes of this one. */
public final class HostPrograms implements Programs {
    private static final int KEPT_BYTES = 16 * 1024;

    private final Path directory;
    private final Map<String, String> environment;

    /** @param directory where they work */
    public HostPrograms(Path directory, Map<String, String> environment) {
        this.directory = directory;
        this.environment = Map.copyOf(environment);
    }

    @Override
    public Ended run(List<String> argv, Duration bound) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(argv)
                .directory(directory.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        Tail tail = new Tail();
        Thread reader = Thread.ofVirtual().start(() -> tail.drain(process.getInputStream()));
        try {
            if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(argv.getFirst() + " has not ended within " + bound.toSeconds() + " s");
            }
            // a grandchild may keep the pipe open
            reader.join(Duration.ofSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + argv.getFirst() + " ran");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), tail.text());
    }

    /** The last bytes of an output. */
    private static final class Tail {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        private void drain(InputStream from) {
            byte[] buffer = new byte[KEPT_BYTES];
            try {
                for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                    add(buffer, read);
                }
            } catch (IOException e) {
                // the pipe was closed under the reader: what came before it counts
                return;
            }
        }

        private synchronized void add(byte[] buffer, int length) {
            if (bytes.size() + length > KEPT_BYTES) {
                byte[] all = bytes.toByteArray();
                int kept = Math.min(all.length, KEPT_BYTES - length);
                bytes.reset();
                bytes.write(all, all.length - kept, kept);
            }
            bytes.write(buffer, 0, length);
        }

        private synchronized String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
