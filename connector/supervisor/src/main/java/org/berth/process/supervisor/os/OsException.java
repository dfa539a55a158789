package org.berth.process.supervisor.os;

/** A system call failed where nothing was foreseen for it. */
public final class OsException extends RuntimeException {
    private final String call;
    private final int errno;

    public OsException(String call, int errno) {
        super(call + " failed with error number " + errno);
        this.call = call;
        this.errno = errno;
    }

    public String call() {
        return call;
    }

    public int errno() {
        return errno;
    }
}
