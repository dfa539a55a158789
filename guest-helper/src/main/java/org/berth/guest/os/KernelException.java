package org.berth.guest.os;

/** A system call failed. */
public final class KernelException extends RuntimeException {
    private final int errno;

    public KernelException(String call, int errno) {
        super(call + " failed with error number " + errno);
        this.errno = errno;
    }

    public int errno() {
        return errno;
    }
}
