package org.berth.harness.setup.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which uv commands run, and which Python comes of them. Source: the harness reference, kernel environment. */
public final class SetupModel {
    private SetupModel() {}

    /** Who wants a Python. */
    public enum Who {
        SESSION,
        INSTALL
    }

    /** The virtual environment that is there. */
    public enum Found {
        NONE,
        OTHER_BUILD,
        CHECKED
    }

    /** What a uv command makes. */
    public enum Makes {
        PYTHON,
        VENV,
        PACKAGES,
        RUNTIME,
        CHECK
    }

    /** A command that ran. @param fetches whether it may download @param hashed whether it compares what it fetched */
    public record Ran(Makes makes, boolean fetches, boolean hashed) {}

    /** Where the Python comes from, or that there is none. */
    public enum Python {
        NAMED,
        VENV,
        HOST,
        MISSING
    }

    /**
     * A host.
     *
     * @param named whether the user names a Python, which can run the kernel
     * @param hostWillDo whether its own Python can
     * @param uv whether it has uv
     * @param failing the command that fails there; empty for none
     */
    public record Host(boolean named, Found found, boolean hostWillDo, boolean uv, Optional<Makes> failing) {}

    /** What happened. @param after the virtual environment that is there then */
    public record End(List<Ran> ran, Python python, Found after) {}

    /** The rule. */
    public static End run(Who who, Host host) {
        if (host.named()) {
            return new End(List.of(), Python.NAMED, host.found());
        }
        if (host.found() == Found.CHECKED) {
            return new End(List.of(), Python.VENV, Found.CHECKED);
        }
        boolean spare = who == Who.SESSION && host.hostWillDo();
        if (spare && host.found() == Found.NONE) {
            return new End(List.of(), Python.HOST, Found.NONE);
        }
        Python otherwise = spare ? Python.HOST : Python.MISSING;
        if (!host.uv()) {
            return new End(List.of(), otherwise, host.found());
        }
        List<Ran> ran = new ArrayList<>();
        for (Makes makes : Makes.values()) {
            boolean download = makes == Makes.PYTHON || makes == Makes.PACKAGES;
            if (who == Who.SESSION && makes == Makes.PYTHON) {
                continue;
            }
            ran.add(new Ran(makes, download && who == Who.INSTALL, download));
            if (host.failing().equals(Optional.of(makes))) {
                return new End(ran, otherwise, Found.NONE);
            }
        }
        return new End(ran, Python.VENV, Found.CHECKED);
    }
}
