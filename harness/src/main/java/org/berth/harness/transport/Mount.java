package org.berth.harness.transport;

import java.nio.file.Path;
import java.util.List;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * One shared directory: the same at {@code sandbox} as at {@code host}.
 *
 * @param sandbox absolute path in the sandbox, without {@code .}, {@code ..} or a slash at its end
 * @param host absolute path on this host
 */
public record Mount(String sandbox, Path host) {
    /** @throws BerthException {@code invalid} for a path that is not absolute or not in its plain form */
    public Mount {
        if (!sandbox.equals(SandboxPath.join(SandboxPath.names(sandbox))) || sandbox.indexOf('\0') >= 0) {
            throw new BerthException(
                    ProblemCode.INVALID,
                    "sandbox path " + sandbox + " of a mount must be absolute and in its plain form");
        }
        if (!host.isAbsolute()) {
            throw new BerthException(ProblemCode.INVALID, "host path " + host + " of a mount must be absolute");
        }
        host = host.normalize();
    }

    /** The mount point as names from the sandbox's root on. */
    List<String> point() {
        return SandboxPath.names(sandbox);
    }
}
