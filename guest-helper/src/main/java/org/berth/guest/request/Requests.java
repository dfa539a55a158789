package org.berth.guest.request;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.berth.guest.Refused;
import org.berth.guest.Refused.Code;
import org.berth.guest.files.GuestFiles;
import org.berth.guest.launch.Descriptor;
import org.berth.guest.launch.NativeRecord;
import org.berth.guest.os.KernelException;

/** Answers requests on one root. Blocks for a file's time, stop-native for up to 5 s. Used by one thread at a time. */
public final class Requests {
    private static final String MISSING = "missing";
    private static final String PROVIDER_REFERENCE = "control/provider-api-ref";
    private static final String HISTORY = "native/projects/-sandbox-openrig-work/";
    private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long POLL_MILLIS = 100;

    private final GuestFiles files;
    private final Map<String, String> environment;

    /** @param environment where the provider's injected key is found */
    public Requests(GuestFiles files, Map<String, String> environment) {
        this.files = files;
        this.environment = environment;
    }

    /**
     * The reply to {@code request}: {@code ok} true with its values, or {@code ok} false with a code.
     *
     * @param data bytes that came with the request; null for none
     */
    public Map<String, Object> reply(Request request, byte[] data) {
        try {
            files.makeRoot();
            return answer(request, data);
        } catch (Refused e) {
            return refusal(e.code());
        } catch (IllegalArgumentException | KernelException e) {
            return refusal(Code.GUEST_UNCONFIRMED);
        }
    }

    /** The reply that refuses with {@code code}. */
    public static Map<String, Object> refusal(Code code) {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("ok", false);
        reply.put("code", code.wire());
        return reply;
    }

    private Map<String, Object> answer(Request request, byte[] data) {
        if (request.put() != null) {
            return put(request, data);
        }
        if (request.stage() != null) {
            return stage(request.stage());
        }
        if (request.read() != null) {
            return content(request.read(), true);
        }
        if (request.stat() != null) {
            return content(request.stat(), false);
        }
        if (request.install() != null) {
            return install(request);
        }
        if (request.prepare()) {
            return prepare();
        }
        if (request.identity()) {
            return identity();
        }
        if (request.stopNative() != null) {
            return stopNative(request);
        }
        if (request.checkpointFiles()) {
            return checkpointFiles();
        }
        throw new IllegalArgumentException("nothing is asked for");
    }

    private Map<String, Object> stage(String path) {
        if (files.exists(path)) {
            throw new Refused(Code.STAGE_EXISTS);
        }
        files.makeParents(path);
        return ok();
    }

    private Map<String, Object> content(String path, boolean whole) {
        byte[] bytes = files.read(path);
        Map<String, Object> reply = measured(bytes);
        if (whole) {
            reply.put("base64", Base64.getEncoder().encodeToString(bytes));
        }
        return reply;
    }

    private Map<String, Object> install(Request request) {
        byte[] bytes = files.read(request.install());
        replace(request, request.destination(), bytes);
        files.remove(request.install());
        return measured(bytes);
    }

    private Map<String, Object> put(Request request, byte[] data) {
        if (data == null) {
            throw new IllegalArgumentException("put needs data");
        }
        replace(request, request.put(), data);
        return measured(data);
    }

    private void replace(Request request, String destination, byte[] bytes) {
        boolean missing = MISSING.equals(request.previous());
        if (files.exists(destination)) {
            if (missing || !Digest.of(files.read(destination)).equals(request.previous())) {
                throw new Refused(Code.PROJECTION_CONFLICT);
            }
            files.install(destination, bytes, request.mode());
        } else if (!missing) {
            throw new Refused(Code.PROJECTION_CHANGED);
        } else if (!files.installNew(destination, bytes, request.mode())) {
            throw new Refused(Code.PROJECTION_CONFLICT);
        }
    }

    private Map<String, Object> prepare() {
        Descriptor descriptor = Descriptor.verified(files, Descriptor.PENDING);
        byte[] encoded = descriptor.canonical();
        if (!files.exists(Descriptor.PUBLISHED)) {
            String reference = reference();
            files.install(PROVIDER_REFERENCE, reference.getBytes(StandardCharsets.UTF_8), GuestFiles.PRIVATE);
            files.makeDirectory("native");
            files.installNew(Descriptor.PUBLISHED, encoded, GuestFiles.PRIVATE);
        }
        if (!Arrays.equals(files.read(Descriptor.PUBLISHED), encoded)) {
            throw new Refused(Code.NATIVE_ALREADY_SELECTED);
        }
        Map<String, Object> reply = ok();
        reply.put("generation", descriptor.generation());
        reply.put("nativeId", descriptor.nativeId());
        return reply;
    }

    private String reference() {
        for (String name : new String[] {"ANTHROPIC_API_KEY", "CLAUDE_API_KEY"}) {
            String value = environment.get(name);
            if (value != null && !value.isEmpty()) {
                return value;
            }
        }
        throw new Refused(Code.PROVIDER_REFERENCE_MISSING);
    }

    private Map<String, Object> identity() {
        Map<String, Object> reply = ok();
        reply.putAll(NativeRecord.observe(files).toJson());
        return reply;
    }

    private Map<String, Object> stopNative(Request request) {
        NativeRecord observed = NativeRecord.observe(files);
        if (!observed.nativeId().equals(request.stopNative())
                || !observed.generation().equals(request.generation())) {
            throw new Refused(Code.NATIVE_CHANGED);
        }
        if (observed.running()) {
            observed.terminate();
            awaitEnd();
        }
        Map<String, Object> reply = ok();
        reply.put("signal", "TERM");
        reply.put("nativeId", observed.nativeId());
        reply.put("generation", observed.generation());
        return reply;
    }

    private void awaitEnd() {
        long deadline = System.nanoTime() + STOP_NANOS;
        while (System.nanoTime() - deadline < 0) {
            try {
                if (!NativeRecord.observe(files).running()) {
                    return;
                }
            } catch (Refused | KernelException e) {
                // Between the end and its record there is nothing to observe yet.
                Thread.onSpinWait();
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private Map<String, Object> checkpointFiles() {
        String path = HISTORY + NativeRecord.observe(files).nativeId() + ".jsonl";
        byte[] bytes = files.read(path);
        if (bytes.length == 0 || bytes[bytes.length - 1] != '\n') {
            throw new Refused(Code.CHECKPOINT_INCOMPLETE);
        }
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("path", path);
        file.put("bytes", (long) bytes.length);
        file.put("sha256", Digest.of(bytes));
        Map<String, Object> reply = ok();
        reply.put("files", List.of(file));
        return reply;
    }

    private static Map<String, Object> measured(byte[] bytes) {
        Map<String, Object> reply = ok();
        reply.put("sha256", Digest.of(bytes));
        reply.put("bytes", (long) bytes.length);
        return reply;
    }

    private static Map<String, Object> ok() {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("ok", true);
        return reply;
    }
}
