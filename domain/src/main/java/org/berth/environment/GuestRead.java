package org.berth.environment;

import java.util.function.Supplier;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** What the read of one guest file came to: its bytes, or why there are none. */
public sealed interface GuestRead {
    record Content(byte[] bytes) implements GuestRead {}

    record Failed(BerthException problem) implements GuestRead {}

    /** Does {@code read}; a failure without a code is environment_unconfirmed. */
    static GuestRead of(Supplier<byte[]> read) {
        try {
            return new Content(read.get());
        } catch (BerthException e) {
            return new Failed(e);
        } catch (RuntimeException e) {
            return new Failed(
                    new BerthException(ProblemCode.ENVIRONMENT_UNCONFIRMED, "The file's read was not answered.", e));
        }
    }

    /** @throws BerthException why there are none */
    default byte[] bytes() {
        return switch (this) {
            case Content content -> content.bytes;
            case Failed failed -> throw failed.problem;
        };
    }

    /** The bytes; null when the guest has no such file. @throws BerthException any other failure */
    default byte[] bytesIfPresent() {
        return this instanceof Failed failed && failed.problem.code() == ProblemCode.ENVIRONMENT_FILE_MISSING
                ? null
                : bytes();
    }
}
