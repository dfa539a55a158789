package org.berth.harness.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.berth.harness.frame.model.ModelLine;

/** The laws of the frame gate, over any requests of any length and kind, in reads of any size. */
class FrameLawsTest {
    private static final FrameLimits LIMITS = new FrameLimits(300, 120, 64);
    private static final Set<String> SERVED = Set.of("fs.read", "rlm.run", "rlm.run.fails");

    @Provide
    Arbitrary<List<ModelLine.Request>> requests() {
        Arbitrary<String> ids = Arbitraries.integers().between(0, 15).map(number -> "r" + number);
        Arbitrary<Optional<String>> types =
                Arbitraries.of("fs.read", "rlm.run", "rlm.run.fails", "fs.none").optional(0.9);
        Arbitrary<Long> lengths =
                Arbitraries.oneOf(Arbitraries.longs().between(100, 400), Arbitraries.of(299L, 300L, 301L));
        return Combinators.combine(ids, types, lengths)
                .as(ModelLine.Request::new)
                .list()
                .ofMaxSize(24);
    }

    private static Host run(List<ModelLine.Request> requests, long seed) {
        Random random = new Random(seed);
        Host host = new Host(LIMITS, SERVED);
        host.feed(
                Wire.stream(requests.stream()
                        .map(request -> Wire.bytes(request, random))
                        .toList()),
                random,
                500);
        while (!host.waiting.isEmpty()) {
            host.runWaiting(random.nextInt(host.waiting.size()));
        }
        return host;
    }

    private static boolean acceptable(ModelLine.Request request) {
        return request.byteCount() <= LIMITS.lineBytes()
                && request.type().filter(SERVED::contains).isPresent();
    }

    private static String idOf(String reply) {
        return reply.substring(reply.indexOf("\"id\":\"") + 6, reply.indexOf("\",\"data\""));
    }

    @Property
    void proto_one_reply_each(@ForAll("requests") List<ModelLine.Request> requests, @ForAll long seed) {
        Host host = run(requests, seed);
        Map<String, Integer> asked = new HashMap<>();
        requests.forEach(request -> asked.merge(request.id(), 1, Integer::sum));
        Map<String, Integer> answered = new HashMap<>();
        host.replies.forEach(reply -> answered.merge(idOf(reply), 1, Integer::sum));
        assertThat(answered).isEqualTo(asked);
        assertThat(host.decisions).hasSameSizeAs(requests);
        for (Admission decision : host.decisions) {
            if (decision instanceof Admission.Accepted accepted) {
                assertThat(accepted.reply().error("a second reply")).isFalse();
            }
        }
        assertThat(host.replies).hasSameSizeAs(requests);
    }

    @Property
    void proto_runs_only_accepted(@ForAll("requests") List<ModelLine.Request> requests, @ForAll long seed) {
        Host host = run(requests, seed);
        Map<String, ModelLine.Request> first = new HashMap<>();
        requests.forEach(request -> first.putIfAbsent(request.id(), request));
        assertThat(host.ran).doesNotHaveDuplicates();
        for (HostRequest ran : host.requests) {
            ModelLine.Request asked = first.get(ran.id());
            assertThat(acceptable(asked)).as("%s", asked).isTrue();
            assertThat(ran.type()).isEqualTo(asked.type().orElseThrow());
            assertThat(new String(ran.frame().bytes(), java.nio.charset.StandardCharsets.UTF_8))
                    .hasSize((int) asked.byteCount())
                    .startsWith("{\"event\": \"host_request\", \"id\": \"" + ran.id() + "\"")
                    .endsWith("\"}}");
        }
    }

    @Property
    void proto_runs_every_accepted(@ForAll("requests") List<ModelLine.Request> requests, @ForAll long seed) {
        Host host = run(requests, seed);
        Set<String> seen = new HashSet<>();
        List<String> due = requests.stream()
                .filter(request -> seen.add(request.id()) && acceptable(request))
                .map(ModelLine.Request::id)
                .toList();
        assertThat(host.ran).containsExactlyInAnyOrderElementsOf(due);
    }

    @Property
    void proto_rejects_oversize(@ForAll("requests") List<ModelLine.Request> requests, @ForAll long seed) {
        Host host = run(requests, seed);
        Set<String> seen = new HashSet<>();
        for (ModelLine.Request request : requests) {
            if (seen.add(request.id()) && request.byteCount() > LIMITS.lineBytes()) {
                assertThat(host.ran).doesNotContain(request.id());
                assertThat(host.replies)
                        .contains(
                                "{\"type\":\"host_reply\",\"id\":\"" + request.id()
                                        + "\",\"data\":{\"status\":\"error\",\"error\":\"the request is over the limit of 300 bytes\"}}");
            }
        }
    }
}
