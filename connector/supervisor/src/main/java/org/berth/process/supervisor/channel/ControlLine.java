package org.berth.process.supervisor.channel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.process.supervisor.loop.EventLoop;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Epoll;
import org.berth.process.supervisor.os.Errno;
import org.berth.process.supervisor.run.Services;

/**
 * The helper's connection: requests out in their order, replies in by their number, a JSON object a line each. A line
 * that is none, or is too long, ends the connection. Runs on the loop.
 */
final class ControlLine {
    /** Bytes of a request and of a reply, at most. Source: environments.md, Drivers. */
    static final int MOST_BYTES = 2 * 1024 * 1024;

    /** Calls without a reply, at most. Source: an own choice. */
    static final int MOST_CALLS = 64;

    /** Bytes that may wait for the helper. Source: four of the largest requests. */
    static final int MOST_WAITING_BYTES = 4 * MOST_BYTES;

    /** A reply's line beside the reply itself. */
    private static final int WRAPPING_BYTES = 256;

    private static final int FIRST_BYTES = 8192;

    /** Told how a call ended; one of the two, once. */
    interface Caller {
        void replied(byte[] reply);

        void failed(BerthException problem);
    }

    private final class Call {
        private final long id;
        private final byte[] line;
        private final Caller caller;
        private EventLoop.Timer timer;
        private int written;

        private Call(long id, byte[] line, Caller caller) {
            this.id = id;
            this.line = line;
            this.caller = caller;
        }
    }

    private final Services services;
    private final int fd;
    private final Runnable ended;
    private final EventLoop.Watch watch;
    private final Map<Long, Call> waiting = new LinkedHashMap<>();
    private final ArrayDeque<Call> outbox = new ArrayDeque<>();
    private byte[] inbound = new byte[FIRST_BYTES];
    private int received;
    private long outboxBytes;
    private long lastId;
    private boolean over;

    /** @param ended once, after every call failed */
    ControlLine(Services services, int fd, Runnable ended) {
        this.services = services;
        this.fd = fd;
        this.ended = ended;
        watch = services.loop().watch(fd, Epoll.IN, this::ready);
    }

    /**
     * Sends one request.
     *
     * @throws BerthException INVALID when it is no object in one line, UNAVAILABLE when too much waits; nothing is sent
     */
    void call(byte[] request, int timeoutMillis, Caller caller) {
        byte[] line = numbered(lastId + 1, request);
        if (waiting.size() >= MOST_CALLS || outboxBytes + line.length > MOST_WAITING_BYTES) {
            throw BerthException.unavailable("the helper has enough to do; try again");
        }
        Call call = new Call(++lastId, line, caller);
        waiting.put(call.id, call);
        outbox.add(call);
        outboxBytes += line.length;
        call.timer = services.loop().after(timeoutMillis, () -> timedOut(call));
        services.loop().defer(this::flush);
    }

    private static byte[] numbered(long id, byte[] request) {
        if (request.length > MOST_BYTES) {
            throw BerthException.invalid("a request has at most " + MOST_BYTES + " bytes");
        }
        try {
            JsonMembers.requireObject(request);
        } catch (IllegalArgumentException e) {
            throw BerthException.invalid("a request is one JSON object in one line");
        }
        int open = 0;
        while (request[open] != '{') {
            open++;
        }
        int next = open + 1;
        while (request[next] == ' ' || request[next] == '\t') {
            next++;
        }
        byte[] head = ("{\"id\":" + id + (request[next] == '}' ? "" : ",")).getBytes(StandardCharsets.US_ASCII);
        byte[] line = Arrays.copyOf(head, head.length + request.length - next + 1);
        System.arraycopy(request, next, line, head.length, request.length - next);
        line[line.length - 1] = '\n';
        if (line.length - 1 > MOST_BYTES) {
            throw BerthException.invalid("a request has at most " + MOST_BYTES + " bytes with its number");
        }
        return line;
    }

    private void timedOut(Call call) {
        if (waiting.remove(call.id) == null) {
            return;
        }
        if (call.written == 0) {
            outbox.remove(call);
            outboxBytes -= call.line.length;
            call.caller.failed(BerthException.unavailable("the helper took no request in time"));
        } else {
            call.caller.failed(lost("the helper gave no reply in time"));
        }
    }

    private static BerthException lost(String sentence) {
        return new BerthException(ProblemCode.UNCERTAIN, sentence + "; query first");
    }

    private void ready(int events) {
        if ((events & Epoll.OUT) != 0) {
            flush();
        }
        if (!over && (events & ~Epoll.OUT) != 0) {
            receive();
        }
    }

    private void flush() {
        while (!over && !outbox.isEmpty()) {
            Call call = outbox.peek();
            int count = Math.min(call.line.length - call.written, Services.SCRATCH_BYTES);
            MemorySegment.copy(call.line, call.written, services.scratch(), ValueLayout.JAVA_BYTE, 0, count);
            long done = Descriptors.write(fd, services.scratch(), count);
            if (done == -Errno.EAGAIN) {
                watch.interest(Epoll.IN | Epoll.OUT);
                return;
            }
            if (done < 0 && done != -Errno.EINTR) {
                close();
                return;
            }
            call.written += (int) Math.max(0, done);
            if (call.written == call.line.length) {
                outbox.remove();
                outboxBytes -= call.line.length;
            }
        }
        if (!over) {
            watch.interest(Epoll.IN);
        }
    }

    private void receive() {
        long count = Descriptors.read(fd, services.scratch(), Services.SCRATCH_BYTES);
        if (count == -Errno.EAGAIN || count == -Errno.EINTR) {
            return;
        }
        if (count <= 0) {
            close();
            return;
        }
        if (inbound.length - received < count) {
            inbound = Arrays.copyOf(inbound, Math.max(2 * inbound.length, received + (int) count));
        }
        MemorySegment.copy(services.scratch(), ValueLayout.JAVA_BYTE, 0, inbound, received, (int) count);
        int unseen = received;
        received += (int) count;
        takeLines(unseen);
    }

    private void takeLines(int unseen) {
        int start = 0;
        for (int i = unseen; i < received && !over; i++) {
            if (inbound[i] == '\n') {
                line(Arrays.copyOfRange(inbound, start, i));
                start = i + 1;
            }
        }
        if (over) {
            return;
        }
        received -= start;
        if (received > MOST_BYTES + WRAPPING_BYTES) {
            close();
        } else if (received == 0 && inbound.length > FIRST_BYTES) {
            inbound = new byte[FIRST_BYTES];
        } else {
            System.arraycopy(inbound, start, inbound, 0, received);
        }
    }

    private void line(byte[] line) {
        long id;
        byte[] reply;
        try {
            id = Long.parseLong(new String(required(line, "id"), StandardCharsets.US_ASCII).strip());
            reply = required(line, "reply");
            JsonMembers.requireObject(reply);
        } catch (IllegalArgumentException e) {
            close();
            return;
        }
        Call call = waiting.remove(id);
        if (call != null) {
            call.timer.cancel();
            if (reply.length > MOST_BYTES) {
                call.caller.failed(lost("the helper's reply is over " + MOST_BYTES + " bytes"));
            } else {
                call.caller.replied(reply);
            }
        }
    }

    private static byte[] required(byte[] line, String name) {
        byte[] value = JsonMembers.value(line, name);
        if (value == null) {
            throw new IllegalArgumentException("no " + name);
        }
        return value;
    }

    /** Ends the connection; calls that wait fail. */
    void close() {
        if (over) {
            return;
        }
        over = true;
        watch.end();
        Descriptors.close(fd);
        List<Call> left = List.copyOf(waiting.values());
        waiting.clear();
        outbox.clear();
        for (Call call : left) {
            call.timer.cancel();
            call.caller.failed(
                    call.written == 0
                            ? BerthException.unavailable("the helper went away before it took the request")
                            : lost("the helper went away before its reply"));
        }
        ended.run();
    }
}
