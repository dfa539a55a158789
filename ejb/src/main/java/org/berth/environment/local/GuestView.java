package org.berth.environment.local;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.policy.FilesystemPolicy;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * What a guest sees of this host: read-only system directories, and places of its own. Source: environments.md, The local
 * driver in detail.
 *
 * @param hostname the guest's name of itself
 * @param tree shown writable as the guest root
 * @param channel shown as {@value #CHANNEL}, where the helper dials out
 * @param image shown as {@value #IMAGE}
 * @param program shown as {@value #AGENT}
 * @param etc guest files by their path below /etc and the host file that is shown there
 * @param system host directories and links that are shown under their own path
 * @param writableTmp whether /tmp may be written
 * @param data host paths that the policy adds, read-only
 */
record GuestView(
        String hostname,
        Path tree,
        Path channel,
        Path image,
        Path program,
        Map<String, Path> etc,
        SystemDirectories system,
        boolean writableTmp,
        List<String> data) {
    /** Where the supervisor's sockets are: {@value}. */
    static final String CHANNEL = "/run/openrig";

    /** Where the helper's image is: {@value}. */
    static final String IMAGE = "/opt/openrig";

    /** The helper's program: {@value}. */
    static final String HELPER = IMAGE + "/bin/guest";

    /** Where the agent's program is: {@value}. Source: the reference's helper. */
    static final String AGENT = "/usr/local/bin/claude";

    /** The guest's one user and its group: {@value}. Source: OpenShell's images. */
    static final String USER = "sandbox";

    /** The number of {@link #USER} inside: {@value}. */
    static final int UID = 1000;

    private static final List<String> OWN = List.of(
            EnvironmentRules.GUEST_ROOT,
            "/sandbox",
            "/usr",
            "/lib",
            "/lib32",
            "/lib64",
            "/libx32",
            "/bin",
            "/sbin",
            "/etc",
            "/opt/openrig",
            "/opt",
            "/proc",
            "/sys",
            "/dev",
            "/tmp",
            "/run",
            "/var/tmp",
            "/");

    GuestView {
        etc = new TreeMap<>(etc);
        data = List.copyOf(data);
    }

    /**
     * The top-level directories of programs and libraries.
     *
     * @param bound real ones by their path
     * @param links symbolic ones: path and where they lead
     * @param localBin the directory of {@code /usr} that is replaced, so that the agent's program can be shown there
     */
    record SystemDirectories(List<String> bound, Map<String, String> links, String localBin) {
        /** Those of this host. */
        static SystemDirectories ofHost() {
            List<String> bound = new ArrayList<>(List.of("/usr"));
            Map<String, String> links = new TreeMap<>();
            for (String name : List.of("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")) {
                Path path = Path.of(name);
                try {
                    if (Files.isSymbolicLink(path)) {
                        links.put(name, Files.readSymbolicLink(path).toString());
                    } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                        bound.add(name);
                    }
                } catch (java.io.IOException e) {
                    throw new IllegalStateException("the link " + name + " cannot be read", e);
                }
            }
            return new SystemDirectories(
                    bound, links, Files.isDirectory(Path.of("/usr/local/bin")) ? "/usr/local/bin" : "/usr/local");
        }
    }

    /**
     * What {@code policy} adds to the view: host paths that it lists beyond the guest's own places.
     *
     * @throws BerthException environment_policy_invalid when the guest could not work under it, environment_path_denied for
     *     a host path that it would write
     */
    static List<String> data(FilesystemPolicy policy) {
        if (policy == null) {
            return List.of();
        }
        if (!policy.includeWorkdir() && !policy.writes(EnvironmentRules.GUEST_ROOT)) {
            throw invalid(EnvironmentRules.GUEST_ROOT + " must be writable");
        }
        if (!policy.reads("/usr")) {
            throw invalid("/usr must be readable, no program runs without it");
        }
        for (String path : policy.readWrite()) {
            if (!isOwn(path)) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_PATH_DENIED,
                        "filesystem_policy.read_write has " + path
                                + "; a local environment shows host paths read-only.");
            }
        }
        return policy.readOnly().stream()
                .filter(path -> !isOwn(path))
                .distinct()
                .toList();
    }

    private static boolean isOwn(String path) {
        return OWN.contains(path)
                || path.startsWith(EnvironmentRules.GUEST_ROOT + "/")
                || path.startsWith("/usr/")
                || path.startsWith("/etc/")
                || path.startsWith("/proc/")
                || path.startsWith("/dev/")
                || path.startsWith("/sys/")
                || path.startsWith("/tmp/");
    }

    private static BerthException invalid(String rule) {
        return new BerthException(
                ProblemCode.ENVIRONMENT_POLICY_INVALID, "environment policy: filesystem_policy: " + rule + ".");
    }
}
