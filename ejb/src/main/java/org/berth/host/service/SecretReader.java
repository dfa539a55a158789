package org.berth.host.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.berth.host.SecretBytes;
import org.berth.host.SecretSource;

/** Fetches secrets from the sources that the host policy names. Its sentences are fixed phrases. */
@ApplicationScoped
public class SecretReader {
    /** The most bytes of a value that becomes a variable. Source: placement.md, Launch request, environment. */
    public static final int MOST_TEXT_BYTES = 16_384;

    private static final String HOME = "~/";

    private final Path home;
    private final UnaryOperator<String> variables;

    @Inject
    private CredentialStoreReader credentialStore;

    /** Reads for this server's user. */
    public SecretReader() {
        this(Path.of(System.getProperty("user.home")), System::getenv);
    }

    /**
     * Reads for another home and environment, without credential stores.
     *
     * @param variables a variable's value by its name; null for none
     */
    public SecretReader(Path home, UnaryOperator<String> variables) {
        this.home = home;
        this.variables = variables;
    }

    /** The home that {@code ~/} means. */
    public Path home() {
        return home;
    }

    /** Text without NUL of 1 to 16384 bytes, or nothing. A file must be private and loses its last line end. */
    public Optional<String> read(SecretSource source) {
        return fetch(source, MOST_TEXT_BYTES) instanceof Fetched.Given(SecretBytes bytes)
                ? text(source, bytes).filter(text -> !text.isEmpty() && text.indexOf('\0') < 0)
                : Optional.empty();
    }

    /** The text of what {@code source} gave, as a variable takes it; empty when it is not UTF-8. */
    public static Optional<String> text(SecretSource source, SecretBytes given) {
        return given.text().map(text -> source instanceof SecretSource.FromFile ? text.stripTrailing() : text);
    }

    /**
     * The bytes of {@code source}. A variable without a value is absent. A file must be a regular one of at most {@code
     * mostBytes} that only its owner may read or write; below the home no link on the way is followed, elsewhere the file
     * itself is none.
     */
    public Fetched fetch(SecretSource source, int mostBytes) {
        return switch (source) {
            case SecretSource.FromEnvironment from -> given(variables.apply(from.name()), mostBytes);
            case SecretSource.FromFile from -> file(from, mostBytes);
            case SecretSource.FromCredentialStore from ->
                given(credentialStore.read(from.store(), from.alias()).orElse(null), mostBytes);
        };
    }

    private static Fetched given(String value, int mostBytes) {
        if (value == null || value.isEmpty()) {
            return new Fetched.Absent();
        }
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return bytes.length > mostBytes
                ? new Fetched.Unusable("is larger than " + mostBytes + " bytes")
                : new Fetched.Given(new SecretBytes(bytes));
    }

    private Fetched file(SecretSource.FromFile from, int mostBytes) {
        try {
            Located at = locate(from.path());
            return NoFollowFiles.read(at.base(), at.relative(), mostBytes, true)
                    .<Fetched>map(bytes -> new Fetched.Given(new SecretBytes(bytes)))
                    .orElseGet(Fetched.Absent::new);
        } catch (NoFollowFiles.UnusableFileException e) {
            return new Fetched.Unusable(e.getMessage());
        }
    }

    /** As {@link #fetch}, by metadata only: no byte is opened, and what is given is empty. */
    public Fetched look(SecretSource source, int mostBytes) {
        return switch (source) {
            case SecretSource.FromEnvironment from ->
                present(given(variables.apply(from.name()), mostBytes) instanceof Fetched.Given);
            case SecretSource.FromCredentialStore from -> present(credentialStore.exists(from.store(), from.alias()));
            case SecretSource.FromFile from -> {
                try {
                    Located at = locate(from.path());
                    if (!NoFollowFiles.exists(at.base(), at.relative(), mostBytes, true)) {
                        yield new Fetched.Absent();
                    }
                    yield Files.isReadable(at.base().resolve(at.relative()))
                            ? present(true)
                            : new Fetched.Unusable("cannot be read");
                } catch (NoFollowFiles.UnusableFileException e) {
                    yield new Fetched.Unusable(e.getMessage());
                }
            }
        };
    }

    private static Fetched present(boolean there) {
        return there ? new Fetched.Given(new SecretBytes(new byte[0])) : new Fetched.Absent();
    }

    /** Where a path's trusted part ends: {@code relative} below {@code base} is walked without following a link. */
    public record Located(Path base, String relative) {}

    /** Where {@code path}, absolute or beginning with {@code ~/}, leads. */
    public Located locate(String path) {
        Path file = (path.startsWith(HOME) ? home.resolve(path.substring(HOME.length())) : Path.of(path)).normalize();
        Path base = file.startsWith(home) && !file.equals(home) ? home : file.getParent();
        return base == null
                ? new Located(file, ".")
                : new Located(base, base.relativize(file).toString());
    }
}
