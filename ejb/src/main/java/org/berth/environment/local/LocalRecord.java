package org.berth.environment.local;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.host.EnvironmentSettings.Engine;
import org.berth.placement.CanonicalJson;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.Wire;

/**
 * What the driver remembers of one environment. The phase is not among it: that is observed.
 *
 * @param id a random UUID
 * @param effectId the operation that made it
 * @param fingerprint random; tells a resource from another one that took its metadata's place
 * @param nonce the private control token of its process
 * @param process the outer process and its namespace; null before it exists
 * @param unenforced what of the policy does not hold here, a sentence each
 */
record LocalRecord(
        String id,
        String name,
        String workspace,
        String effectId,
        String fingerprint,
        String nonce,
        String image,
        String provider,
        String policySha256,
        Engine engine,
        Instant createdAt,
        ProcessIdentity process,
        List<String> unenforced) {
    LocalRecord {
        unenforced = List.copyOf(unenforced);
    }

    /** 32 lower-case hex digits: names directory, channel and process. */
    String key() {
        return id.replace("-", "");
    }

    LocalRecord withProcess(ProcessIdentity started) {
        return new LocalRecord(
                id,
                name,
                workspace,
                effectId,
                fingerprint,
                nonce,
                image,
                provider,
                policySha256,
                engine,
                createdAt,
                started,
                unenforced);
    }

    /** The helper, where it is not the process that was spawned itself. */
    LocalRecord withHelper(long pid, long startTicks) {
        ProcessIdentity.Tree tree = process.tree();
        return withProcess(new ProcessIdentity(
                process.pid(),
                process.group(),
                process.startTicks(),
                process.bootId(),
                new ProcessIdentity.Tree(tree.initPid(), tree.initStartTicks(), pid, startTicks)));
    }

    /** The namespace's first process; null before it exists. */
    ProcessMark init() {
        return process == null || process.tree() == null
                ? null
                : new ProcessMark(process.tree().initPid(), process.tree().initStartTicks(), process.bootId());
    }

    String write() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", id);
        tree.put("name", name);
        tree.put("workspace", workspace);
        tree.put("effect_id", effectId);
        tree.put("fingerprint", fingerprint);
        tree.put("nonce", nonce);
        tree.put("image", image);
        tree.put("provider", provider);
        tree.put("policy_sha256", policySha256);
        tree.put("engine", Wire.name(engine));
        tree.put("created_at", createdAt.toString());
        tree.put("process", process == null ? null : tree(process));
        tree.put("unenforced", unenforced);
        return CanonicalJson.write(tree);
    }

    /** @throws RuntimeException when {@code tree} is not what {@link #write} writes */
    static LocalRecord read(Map<String, Object> tree) {
        return new LocalRecord(
                text(tree, "id"),
                text(tree, "name"),
                text(tree, "workspace"),
                text(tree, "effect_id"),
                text(tree, "fingerprint"),
                text(tree, "nonce"),
                text(tree, "image"),
                text(tree, "provider"),
                text(tree, "policy_sha256"),
                Wire.parse(Engine.class, text(tree, "engine")).orElseThrow(),
                Instant.parse(text(tree, "created_at")),
                process(tree.get("process")),
                ((List<?>) tree.get("unenforced"))
                        .stream().map(String.class::cast).toList());
    }

    private static String text(Map<String, Object> tree, String name) {
        return tree.get(name) instanceof String text ? text : raise(name);
    }

    private static String raise(String name) {
        throw new IllegalArgumentException(name + " is missing");
    }

    private static Map<String, Object> tree(ProcessIdentity process) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("pid", process.pid());
        tree.put("group", process.group());
        tree.put("start_ticks", process.startTicks());
        tree.put("boot_id", process.bootId());
        tree.put("init_pid", process.tree().initPid());
        tree.put("init_start_ticks", process.tree().initStartTicks());
        tree.put("inner_pid", process.tree().innerPid());
        tree.put("inner_start_ticks", process.tree().innerStartTicks());
        return tree;
    }

    private static ProcessIdentity process(Object value) {
        return value instanceof Map<?, ?> tree
                ? new ProcessIdentity(
                        (Long) tree.get("pid"),
                        (Long) tree.get("group"),
                        (Long) tree.get("start_ticks"),
                        (String) tree.get("boot_id"),
                        new ProcessIdentity.Tree(
                                (Long) tree.get("init_pid"),
                                (Long) tree.get("init_start_ticks"),
                                (Long) tree.get("inner_pid"),
                                (Long) tree.get("inner_start_ticks")))
                : null;
    }
}
