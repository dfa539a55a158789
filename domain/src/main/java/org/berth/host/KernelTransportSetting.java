package org.berth.host;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.placement.Wire;

/**
 * A way to run kernels under a wrapper: a container, a virtual machine, another host. Source: harness.md, "Kernel and
 * transport".
 *
 * @param argvPrefix the wrapper's command, not empty
 * @param python the interpreter in the sandbox
 * @param form how the wrapper takes the kernel's command
 * @param pathMap the shared directories
 * @param env names of host variables that the kernel gets
 */
public record KernelTransportSetting(
        List<String> argvPrefix, String python, Form form, List<SharedDirectory> pathMap, List<String> env) {
    /** The interpreter where none is named. */
    public static final String PYTHON = "python3";

    public KernelTransportSetting {
        argvPrefix = List.copyOf(argvPrefix);
        pathMap = List.copyOf(pathMap);
        env = List.copyOf(env);
    }

    /** How a wrapper takes a command. */
    public enum Form {
        /** As arguments of its own. */
        ARGV,
        /** As one line for a shell on the other side. */
        SHELL
    }

    /** One directory that both sides see. @param sandbox its path in the sandbox @param host its path on this host */
    public record SharedDirectory(String sandbox, String host) {}

    /** As host.yaml has it; names of variables, never their values. */
    Map<String, Object> publish() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("argvPrefix", argvPrefix);
        tree.put("python", python);
        tree.put("command", Wire.name(form));
        List<Object> shared = new ArrayList<>();
        pathMap.forEach(each -> shared.add(Map.of("sandbox", each.sandbox(), "host", each.host())));
        tree.put("pathMap", shared);
        tree.put("env", env);
        return tree;
    }
}
