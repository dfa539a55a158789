package org.berth.process.supervisor.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** One epoll instance with room for the events of one wake. Used by one thread. */
public final class Epoll {
    public static final int IN = 1;
    public static final int OUT = 4;
    public static final int ERR = 8;
    public static final int HUP = 16;

    /** Events taken in one wake. */
    public static final int EVENTS = 256;

    private static final int CTL_ADD = 1;
    private static final int CTL_DEL = 2;
    private static final int CTL_MOD = 3;
    private static final ValueLayout.OfLong DATA = ValueLayout.JAVA_LONG_UNALIGNED;

    private static final NativeFunction CREATE = NativeFunction.ofInt("epoll_create1", 1);
    private static final NativeFunction CTL = NativeFunction.ofInt("epoll_ctl", 4);
    private static final NativeFunction WAIT = NativeFunction.ofInt("epoll_wait", 4);

    private final int size = Cpu.CURRENT.epollEventSize;
    private final int dataOffset = Cpu.CURRENT.epollDataOffset;
    private final MemorySegment events = Arena.ofAuto().allocate((long) size * EVENTS, 8);
    private final MemorySegment change = Arena.ofAuto().allocate(size, 8);
    private final int fd = (int) Errno.require("epoll_create1", CREATE.call(Descriptors.O_CLOEXEC));

    /** Watches {@code watched}; {@code token} comes back with its events. */
    public void add(int watched, int interest, long token) {
        Errno.require("epoll_ctl", control(CTL_ADD, watched, interest, token));
    }

    public void modify(int watched, int interest, long token) {
        Errno.require("epoll_ctl", control(CTL_MOD, watched, interest, token));
    }

    public void remove(int watched) {
        Errno.require("epoll_ctl", control(CTL_DEL, watched, 0, 0));
    }

    private long control(int operation, int watched, int interest, long token) {
        change.set(ValueLayout.JAVA_INT, 0, interest);
        change.set(DATA, dataOffset, token);
        return CTL.call(fd, operation, watched, change.address());
    }

    /** Waits; {@code timeoutMillis} of -1 means for ever. @return the number of events, 0 when the time elapsed */
    public int await(int timeoutMillis) {
        long count = WAIT.call(fd, events.address(), EVENTS, timeoutMillis);
        return count == -Errno.EINTR ? 0 : (int) Errno.require("epoll_wait", count);
    }

    public int eventsOf(int index) {
        return events.get(ValueLayout.JAVA_INT_UNALIGNED, (long) index * size);
    }

    public long tokenOf(int index) {
        return events.get(DATA, (long) index * size + dataOffset);
    }
}
