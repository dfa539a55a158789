package org.berth.host;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.berth.placement.CanonicalJson;

/** Bytes that nobody may print: a login file or a token. Its text form tells their number only. */
public final class SecretBytes {
    private final byte[] bytes;

    /** Keeps its own copy of {@code bytes}, which may be empty. */
    public SecretBytes(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /** A copy. */
    public byte[] copy() {
        return bytes.clone();
    }

    public int length() {
        return bytes.length;
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** sha256 of the bytes, 64 lower-case hex digits. */
    public String digest() {
        return CanonicalJson.sha256(bytes);
    }

    /** The bytes as text; empty when they are not UTF-8 from the first to the last. */
    public Optional<String> text() {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return "SecretBytes[" + bytes.length + "]";
    }
}
