package org.berth.harness.output;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Output that is bounded in memory and whole in a file: the first byte past the bound writes everything so far to the
 * artifact, and the rest follows it there. Output that fits, or that is not bounded, writes no file. A file that cannot be
 * written loses nothing of what is kept and counted; {@link #artifactFailure()} says what was wrong.
 */
public final class BoundedOutput implements Output {
    private final Path file;
    private final OutputBuffer buffer;
    private Artifact artifact;
    private String artifactFailure;

    /** @param file the artifact: a name that is not taken, in an existing directory of Berth's own */
    public BoundedOutput(Truncation truncation, Path file) {
        this.file = Objects.requireNonNull(file);
        this.buffer = new OutputBuffer(truncation);
    }

    @Override
    public synchronized void append(byte[] bytes, int from, int to) {
        if (buffer.ended()) {
            return;
        }
        if (artifact == null && artifactFailure == null && !buffer.fits(bytes, from, to)) {
            create();
        }
        buffer.append(bytes, from, to);
        write(bytes, from, to);
    }

    /** Nothing is dropped yet: what is kept is everything so far. */
    private void create() {
        try {
            artifact = Artifact.create(file);
        } catch (IOException e) {
            fail(e);
            return;
        }
        byte[] before = buffer.view().kept();
        write(before, 0, before.length);
    }

    private void write(byte[] bytes, int from, int to) {
        if (artifact == null || artifactFailure != null) {
            return;
        }
        try {
            artifact.write(bytes, from, to);
        } catch (IOException e) {
            fail(e);
        }
    }

    @Override
    public synchronized void end() {
        buffer.end();
        if (artifact != null) {
            try {
                artifact.close();
            } catch (IOException e) {
                fail(e);
            }
        }
    }

    @Override
    public OutputView view() {
        return buffer.view();
    }

    /** The file with the full output; empty while the output fits, when it is not bounded, and after a failure. */
    public synchronized Optional<Path> artifact() {
        return artifact == null || artifactFailure != null ? Optional.empty() : Optional.of(file);
    }

    /** Why the full output is not in its file. */
    public synchronized Optional<String> artifactFailure() {
        return Optional.ofNullable(artifactFailure);
    }

    private void fail(IOException e) {
        artifactFailure = "the full output could not be written to " + file + ": " + e.getMessage();
    }
}
