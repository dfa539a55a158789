package org.berth.cli.testing;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.berth.cli.Berth;
import org.berth.cli.Surroundings;

/** One invocation of the program with everything around it in memory. */
public final class Invocation {
    private final Map<String, String> environment = new HashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private InputStream in = InputStream.nullInputStream();
    private boolean terminal;

    /** With a token, and a home that does not exist. */
    public Invocation(URI url) {
        environment.put("BERTH_URL", url.toString());
        environment.put("BERTH_TOKEN", "secret");
        environment.put("BERTH_HOME", "/nonexistent/berth");
    }

    public Invocation with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    public Invocation without(String variable) {
        environment.remove(variable);
        return this;
    }

    public Invocation input(String text) {
        in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    public Invocation onTerminal() {
        terminal = true;
        return this;
    }

    /** Runs it. @return the exit code */
    public int run(String... arguments) {
        return Berth.run(
                new Surroundings(
                        Map.copyOf(environment),
                        in,
                        out,
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        terminal,
                        terminal,
                        false),
                arguments);
    }

    public byte[] outBytes() {
        return out.toByteArray();
    }

    public String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    public String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
