package org.berth.process.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Finds a name's addresses. */
@FunctionalInterface
public interface AddressLookup {
    /** @throws IOException when there are none, or none in time */
    List<InetAddress> find(String host) throws IOException;

    /**
     * The host's own lookup, on few threads of its own: it blocks in the C library, where it would hold up the threads
     * that carry bytes.
     */
    static AddressLookup ofHost() {
        return HostLookup::find;
    }
}

/** The lookup of this machine. */
final class HostLookup {
    private static final int THREADS = 4;
    private static final int SECONDS = 10;
    private static final ExecutorService POOL = Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().name("lookup ", 0).daemon().factory());

    private HostLookup() {}

    static List<InetAddress> find(String host) throws IOException {
        Future<InetAddress[]> answer = POOL.submit(() -> InetAddress.getAllByName(host));
        try {
            return List.of(answer.get(SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            throw new UnknownHostException(host);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException("no answer for " + host, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
