package org.berth.container;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.placement.Wire;

/**
 * What the operator selects for launches in containers: the key {@code container} of host.yaml. A request chooses
 * nothing of it. Source: placement.md, Container backend.
 *
 * @param socket absolute path of Podman's service socket; null under placement docker
 * @param cli the engine's command line: a name on the policy's path, or an absolute path
 * @param environment variables of that command line beside HOME and PATH, which it replaces where it names them
 * @param image the image of every launch, by id or digest
 * @param images images of single policies, by policy ref
 * @param memoryBytes most memory of one container
 * @param cpuMillis most processor time, in thousandths of one processor
 * @param pids most processes
 * @param tmpBytes size of its /tmp
 * @param network {@code none}, {@code host}, or the name of an engine's network
 * @param users how the server's user is seen inside
 * @param init whether the engine puts a small init before the program; needs one on the host
 * @param shell absolute path of the image's POSIX shell, which turns a file into the standard input of a one-turn launch
 */
public record ContainerSettings(
        String socket,
        String cli,
        Map<String, String> environment,
        String image,
        Map<String, String> images,
        long memoryBytes,
        int cpuMillis,
        int pids,
        int tmpBytes,
        String network,
        Users users,
        boolean init,
        String shell) {
    /** A host without containers. */
    public static final ContainerSettings NONE = new ContainerSettings(
            null,
            "podman",
            Map.of(),
            null,
            Map.of(),
            2048L * 1024 * 1024,
            2000,
            512,
            256 * 1024 * 1024,
            "none",
            Users.KEEP_ID,
            false,
            "/bin/sh");

    public ContainerSettings {
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        images = Collections.unmodifiableMap(new LinkedHashMap<>(images));
    }

    /** Who the program inside is, so that what it writes belongs to the server's user. */
    public enum Users {
        /** The server's own number, mapped by rootless Podman's keep-id. */
        KEEP_ID,
        /** The server's own number, for an engine without a mapping of users. */
        SAME,
        /** The inside's root, which a rootless engine maps to the server's user. */
        ROOT
    }

    /** Whether an image was selected, without which nothing can be launched. */
    public boolean complete() {
        return image != null;
    }

    /** The image of launches under {@code policyRef}; null when none was selected. */
    public String imageOf(String policyRef) {
        return images.getOrDefault(policyRef, image);
    }

    /** What binds a launch under {@code policyRef} to these settings, as a JSON tree. */
    public Map<String, Object> binding(String policyRef) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("image", imageOf(policyRef));
        tree.put("network", network);
        tree.put("memory_bytes", memoryBytes);
        tree.put("cpu_millis", (long) cpuMillis);
        tree.put("pids", (long) pids);
        tree.put("init", init);
        tree.put("users", Wire.name(users));
        return tree;
    }

    /** The settings as a JSON tree. */
    public Map<String, Object> publish() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("socket", socket);
        tree.put("cli", cli);
        tree.put("environment", environment);
        tree.put("image", image);
        tree.put("images", images);
        tree.put("memory_bytes", memoryBytes);
        tree.put("cpu_millis", (long) cpuMillis);
        tree.put("pids", (long) pids);
        tree.put("tmp_bytes", (long) tmpBytes);
        tree.put("network", network);
        tree.put("users", Wire.name(users));
        tree.put("init", init);
        tree.put("shell", shell);
        return tree;
    }
}
