package org.berth.harness.output;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Free inputs of the laws of output. */
public final class Outputs {
    private Outputs() {}

    /** Chunks with many newlines and characters of several bytes, cut anywhere. */
    public static Arbitrary<List<byte[]>> chunks() {
        Arbitrary<Byte> bytes = Arbitraries.of('a', 'b', '\n', '\n', (char) 0xc3, (char) 0xa9, (char) 0x80, (char) 0xff)
                .map(character -> (byte) (char) character);
        return bytes.array(byte[].class).ofMaxSize(30).list().ofMaxSize(12);
    }

    public static Arbitrary<OutputLimits> limits() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 60),
                        Arbitraries.integers().between(0, 9),
                        Arbitraries.of(OutputLimits.Keep.class))
                .as(OutputLimits::new);
    }

    public static byte[] joined(List<byte[]> chunks) {
        byte[] all = new byte[chunks.stream().mapToInt(chunk -> chunk.length).sum()];
        int at = 0;
        for (byte[] chunk : chunks) {
            System.arraycopy(chunk, 0, all, at, chunk.length);
            at += chunk.length;
        }
        return all;
    }

    public static int lines(byte[] bytes) {
        int lines = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n' || i == bytes.length - 1) {
                lines++;
            }
        }
        return lines;
    }

    static List<Byte> boxed(byte[] bytes) {
        List<Byte> boxed = new ArrayList<>(bytes.length);
        for (byte b : bytes) {
            boxed.add(b);
        }
        return boxed;
    }
}
