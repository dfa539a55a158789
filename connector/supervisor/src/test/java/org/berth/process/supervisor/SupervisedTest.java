package org.berth.process.supervisor;

import java.nio.charset.StandardCharsets;
import org.berth.placement.SpawnOrder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** One supervisor for a class, one subscribed connection for a test. */
abstract class SupervisedTest {
    static final int STDOUT = 1;
    static final int STDERR = 2;
    static final int TTY = 3;

    static TestSupervisor supervisor;
    TestClient client;

    @BeforeAll
    static void start() {
        supervisor = TestSupervisor.start();
    }

    @AfterAll
    static void end() {
        supervisor.close();
    }

    @BeforeEach
    void connect() {
        client = supervisor.client();
        client.subscribe();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    String text(SpawnOrder order, int stream) {
        return new String(client.bytes(order, stream), StandardCharsets.UTF_8);
    }

    /** Runs to the end. @return what it wrote to its stdout */
    String output(SpawnOrder order) {
        client.started(order);
        client.receive(order);
        client.awaitEof(order, STDOUT);
        return text(order, STDOUT);
    }
}
