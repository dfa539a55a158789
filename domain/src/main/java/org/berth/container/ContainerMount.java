package org.berth.container;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.berth.problem.BerthException;

/**
 * One directory of the host that a container sees under the same path.
 *
 * @param name what refusals call it
 * @param path absolute and physical: no link and no {@code ..} in it
 * @param writable whether the program may write there
 */
public record ContainerMount(String name, Path path, boolean writable) {
    /** The most directories beside the private home. Source: placement.md, Container backend. */
    public static final int MOST = 15;

    /** What an image owns: neither these nor what holds them can be mounted over. */
    private static final Set<String> OF_THE_IMAGE = Set.of("/bin", "/etc", "/lib", "/lib64", "/sbin", "/tmp", "/usr");

    /** What the kernel and the engine put into a container; nothing below them either. */
    private static final List<String> OF_THE_KERNEL = List.of("/dev", "/proc", "/run/secrets", "/sys");

    /**
     * The home and what else was admitted, each checked against the others.
     *
     * @param home the private home; always writable
     * @param admitted the others, in the request's order
     * @return home first
     * @throws BerthException INVALID for more than {@value #MOST} others, for two that overlap, and for a path that
     *     belongs to the image or the kernel
     */
    public static List<ContainerMount> plan(Path home, List<ContainerMount> admitted) {
        if (admitted.size() > MOST) {
            throw BerthException.invalid("resources: a container takes at most " + MOST
                    + " directories beside its home; this launch names " + admitted.size());
        }
        List<ContainerMount> all = new ArrayList<>();
        for (ContainerMount mount : withHome(home, admitted)) {
            requireOwn(mount);
            for (ContainerMount earlier : all) {
                if (mount.overlaps(earlier)) {
                    throw BerthException.invalid("resources: '" + mount.name + "' and '" + earlier.name
                            + "' overlap; a container's directories lie apart from each other and from its home");
                }
            }
            all.add(mount);
        }
        return List.copyOf(all);
    }

    private static List<ContainerMount> withHome(Path home, List<ContainerMount> admitted) {
        List<ContainerMount> all = new ArrayList<>();
        all.add(new ContainerMount("home", home, true));
        all.addAll(admitted);
        return all;
    }

    private static void requireOwn(ContainerMount mount) {
        Path path = mount.path;
        boolean plain = path.isAbsolute() && path.equals(path.normalize()) && path.getNameCount() > 0;
        boolean images = plain && OF_THE_IMAGE.stream().map(Path::of).anyMatch(own -> own.startsWith(path));
        boolean kernels = plain
                && OF_THE_KERNEL.stream().map(Path::of).anyMatch(own -> own.startsWith(path) || path.startsWith(own));
        if (!plain
                || images
                || kernels
                || path.toString().indexOf(':') >= 0
                || path.toString().indexOf(',') >= 0) {
            throw BerthException.invalid("resources: '" + mount.name
                    + "' cannot be mounted; its path must be a directory of its own, none of the system's, without"
                    + " colon or comma");
        }
    }

    /** Whether one holds the other, or both are one. */
    public boolean overlaps(ContainerMount other) {
        return path.startsWith(other.path) || other.path.startsWith(path);
    }
}
