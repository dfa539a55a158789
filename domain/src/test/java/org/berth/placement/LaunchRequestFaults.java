package org.berth.placement;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Every way in which a launch request can be wrong, each as a whole request with exactly one fault. */
public final class LaunchRequestFaults {
    private static final String DIGITS = "0".repeat(64);
    private static final List<Fault> FAULTS = new LaunchRequestFaults().collect();

    private final List<Fault> faults = new ArrayList<>();

    private LaunchRequestFaults() {}

    /**
     * One wrong request.
     *
     * @param label unique
     * @param tree the whole request
     * @param path the field that the refusal names
     * @param rule a part of the sentence after the path
     */
    public record Fault(String label, Map<String, Object> tree, String path, String rule) {
        @Override
        public String toString() {
            return label;
        }
    }

    /** All of them. */
    public static List<Fault> all() {
        return FAULTS;
    }

    /** The smallest request that is right, as a tree of its own that the caller may change. */
    public static Map<String, Object> smallest() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("idempotency_key", "key-1");
        tree.put("owner_id", "owner");
        tree.put("owner_incarnation", 1L);
        tree.put("action_id", "action-1");
        tree.put("attempt_id", "attempt-1");
        tree.put("binding_ref", "binding/default");
        tree.put("binding_digest", DIGITS);
        tree.put("policy_ref", "default");
        tree.put("profile_id", "batch");
        tree.put("profile_digest", DIGITS);
        tree.put("launch", map("executable", "/bin/true"));
        return tree;
    }

    /** A request with every optional field, likewise. */
    public static Map<String, Object> fullest() {
        Map<String, Object> tree = smallest();
        tree.put("configuration_digest", "a".repeat(64));
        tree.put(
                "launch",
                map(
                        "executable", "sh",
                        "argv", list("-c", "echo \u00fc"),
                        "stdin", "first\n",
                        "stdin_eof", true,
                        "environment", list("GREETING", "TOKEN"),
                        "working_directory_ref", "work",
                        "home_ref", "home",
                        "mode", "window",
                        "window", map("rows", 24L, "cols", 80L),
                        "readiness", "ready>"));
        tree.put("environment", map("GREETING", "hello"));
        tree.put("environment_refs", map("TOKEN", "tokens/one"));
        tree.put("resources", list(resource("work", "project"), resource("home", "session")));
        tree.put("projections", list("claude_login"));
        tree.put(
                "executable",
                map("revision", "berth.executable-measurement@1", "kind", "elf", "digest", "b".repeat(64)));
        tree.put("options", map("branch", "topic", "depth", 2L, "flags", list(true, null, new BigDecimal("0.5"))));
        tree.put("session_ref", "session/1");
        tree.put("required_cleanup", "direct_process");
        tree.put("required_exit_observation", "eof_gated");
        tree.put("timeouts", map("start_ms", 1L, "stop_grace_ms", 0L, "drain_ms", 100L, "retain_ms", 600_000L));
        tree.put(
                "output",
                map("recipient", "log", "truncation", map("on", map("bytes", 1L, "lines", 1L, "keep", "head"))));
        return tree;
    }

    /** A writable resource. */
    public static Map<String, Object> resource(String name, String purpose) {
        return map(
                "name", name,
                "grant_ref", "grant/1",
                "root_ref", "work",
                "subpath", "a/b",
                "access", "write",
                "purpose", purpose);
    }

    /** A changeable map of {@code pairs}: name, value, name, value … */
    public static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    /** A changeable list of {@code items}, nulls allowed. */
    public static List<Object> list(Object... items) {
        return new ArrayList<>(Arrays.asList(items));
    }

    private List<Fault> collect() {
        required();
        types();
        texts();
        launch();
        environment();
        resources();
        rest();
        return Collections.unmodifiableList(faults);
    }

    private void required() {
        for (String name : smallest().keySet()) {
            add(name + " absent", tree -> tree.remove(name), name, "is required");
        }
        inLaunch("executable absent", launch -> launch.remove("executable"), "executable", "is required");
        for (String name : List.of("name", "grant_ref", "root_ref", "access", "purpose")) {
            inResource(name + " absent", each -> each.remove(name), name, "is required");
        }
        for (String name : List.of("revision", "kind", "digest")) {
            inObject("executable", name + " absent", each -> each.remove(name), name, "is required");
        }
        unknown("delivery", tree -> tree.put("delivery", map()), "delivery", "is selected by the host");
        unknown("top", tree -> tree.put("surprise", 1L), "surprise", "is not a known field");
        unknown("launch", tree -> child(tree, "launch").put("shell", true), "launch.shell", "is not a known field");
        unknown(
                "window",
                tree -> child(child(tree, "launch"), "window").put("depth", 1L),
                "launch.window.depth",
                "is not a known field");
        unknown("resource", tree -> firstResource(tree).put("mode", "rw"), "resources[0].mode", "is not a known field");
        unknown("timeouts", tree -> child(tree, "timeouts").put("all", 1L), "timeouts.all", "is not a known field");
        unknown("output", tree -> child(tree, "output").put("file", "x"), "output.file", "is not a known field");
        unknown(
                "truncation",
                tree -> child(child(tree, "output"), "truncation").put("off", true),
                "output.truncation.off",
                "is not a known field");
        unknown(
                "truncation.on",
                tree -> child(child(child(tree, "output"), "truncation"), "on").put("words", 1L),
                "output.truncation.on.words",
                "is not a known field");
        unknown(
                "executable",
                tree -> child(tree, "executable").put("size", 1L),
                "executable.size",
                "is not a known field");
        unknown(
                "mode object",
                tree -> {
                    child(tree, "launch").remove("window");
                    child(tree, "launch").put("mode", map("tty", map("rows", 1L, "cols", 1L)));
                },
                "launch.mode.tty",
                "is not a known field");
    }

    private void types() {
        wrongTypes(fullest(), "", (tree, name, value) -> tree.put(name, value));
        wrongTypes(
                child(fullest(), "launch"),
                "launch.",
                (tree, name, value) -> child(tree, "launch").put(name, value));
        wrongTypes(
                child(child(fullest(), "launch"), "window"),
                "launch.window.",
                (tree, name, value) -> child(child(tree, "launch"), "window").put(name, value));
        wrongTypes(
                firstResource(fullest()),
                "resources[0].",
                (tree, name, value) -> firstResource(tree).put(name, value));
        for (String object : List.of("executable", "timeouts", "output", "environment", "environment_refs")) {
            wrongTypes(
                    child(fullest(), object),
                    object + ".",
                    (tree, name, value) -> child(tree, object).put(name, value));
        }
        wrongTypes(
                child(child(child(fullest(), "output"), "truncation"), "on"),
                "output.truncation.on.",
                (tree, name, value) ->
                        child(child(child(tree, "output"), "truncation"), "on").put(name, value));
        for (Object item : list(1L, null, true, map())) {
            inFull("argv item " + item, tree -> child(tree, "launch").put("argv", list("a", item)), "launch.argv[1]");
            inFull(
                    "environment item " + item,
                    tree -> child(tree, "launch").put("environment", list(item)),
                    "launch.environment[0]");
            inFull("projection " + item, tree -> tree.put("projections", list(item)), "projections[0]");
        }
        for (Object item : list(1L, null, "text", list())) {
            inFull("resource " + item, tree -> tree.put("resources", list(item)), "resources[0]");
        }
        inFull(
                "session_end number",
                tree -> {
                    child(tree, "launch").remove("stdin_eof");
                    child(tree, "launch").put("session_end", 1L);
                },
                "launch.session_end");
    }

    /** Where a fault puts a value. */
    private interface Placed {
        void put(Map<String, Object> tree, String name, Object value);
    }

    private void wrongTypes(Map<String, Object> model, String prefix, Placed placed) {
        model.forEach((name, right) -> {
            for (Object wrong : list("wrong type", 7L, new BigDecimal("1.5"), true, map("x", 1L), list(1L), null)) {
                boolean admitted = (prefix + name).equals("launch.mode") && wrong instanceof Map;
                if (!admitted && !sameType(right, wrong)) {
                    inFull(
                            prefix + name + " as " + (wrong == null ? "null" : CanonicalJson.write(wrong)),
                            tree -> placed.put(tree, name, wrong),
                            prefix + name);
                }
            }
        });
    }

    private static boolean sameType(Object right, Object wrong) {
        return wrong != null
                && ((right instanceof String && wrong instanceof String)
                        || (right instanceof Long && wrong instanceof Long)
                        || (right instanceof Boolean && wrong instanceof Boolean)
                        || (right instanceof List && wrong instanceof List)
                        || (right instanceof Map && wrong instanceof Map));
    }

    private void texts() {
        for (String name : List.of("idempotency_key", "owner_id", "action_id", "attempt_id", "profile_id")) {
            notIdentifiers(name);
            add(name + " with /", tree -> tree.put(name, "a/b"), name, "letters, digits");
        }
        notIdentifiers("binding_ref");
        notIdentifiers("policy_ref");
        for (String name : List.of("binding_digest", "profile_digest", "configuration_digest")) {
            for (String wrong : List.of("", "a".repeat(63), "a".repeat(65), "A".repeat(64), "g".repeat(64))) {
                add(name + " '" + wrong + "'", tree -> tree.put(name, wrong), name, "64 lower-case hex digits");
            }
        }
        for (long wrong : new long[] {0, -1, Long.MIN_VALUE}) {
            add(
                    "owner_incarnation " + wrong,
                    tree -> tree.put("owner_incarnation", wrong),
                    "owner_incarnation",
                    "whole number of at least 1");
        }
    }

    private void notIdentifiers(String name) {
        for (String wrong : List.of("", ".a", "-a", "_a", "a b", "a\n", "\u00fc", "a\0", "a".repeat(161))) {
            add(name + " '" + wrong + "'", tree -> tree.put(name, wrong), name, "letters, digits");
        }
        add(name + " surrogate", tree -> tree.put(name, "a\ud800"), name, "lone surrogate");
    }

    private void launch() {
        inLaunch("executable empty", launch -> launch.put("executable", ""), "executable", "must not be empty");
        inLaunch("executable NUL", launch -> launch.put("executable", "/bin/a\0"), "executable", "NUL");
        inLaunch("executable long", launch -> launch.put("executable", "/" + "a".repeat(4095)), "executable", "4095");
        for (String relative : List.of("bin/sh", "./sh", "../sh", ".", "..")) {
            inLaunch(
                    "executable " + relative,
                    launch -> launch.put("executable", relative),
                    "executable",
                    "absolute path or a bare name");
        }
        inLaunch("executable surrogate", launch -> launch.put("executable", "/\udc00"), "executable", "lone surrogate");
        inLaunch(
                "argv 129",
                launch -> launch.put("argv", new ArrayList<Object>(Collections.nCopies(129, "a"))),
                "argv",
                "at most 128 items");
        inLaunch("argv NUL", launch -> launch.put("argv", list("a", "b\0c")), "argv[1]", "NUL");
        inLaunch("argv surrogate", launch -> launch.put("argv", list("\ud800a")), "argv[0]", "lone surrogate");
        inLaunch("argv item long", launch -> launch.put("argv", list("a".repeat(131_072))), "argv[0]", "131071 bytes");
        inLaunch(
                "argv item long in bytes",
                launch -> launch.put("argv", list("\u00fc".repeat(65_536))),
                "argv[0]",
                "131071 bytes");
        inLaunch(
                "argv long together",
                launch -> launch.put("argv", new ArrayList<Object>(Collections.nCopies(9, "a".repeat(120_000)))),
                "argv",
                "1048576 bytes together");
        inLaunch("argv repeats", launch -> launch.put("argv", list("/bin/true")), "argv[0]", "executable again");
        inLaunch("stdin long", launch -> launch.put("stdin", "a".repeat(65_537)), "stdin", "65536 bytes");
        inLaunch("stdin surrogate", launch -> launch.put("stdin", "\ud800"), "stdin", "lone surrogate");
        inLaunch("stdin_eof alone", launch -> launch.put("stdin_eof", true), "stdin_eof", "needs launch.stdin");
        inLaunch("session_end other", launch -> launch.put("session_end", "kill"), "session_end", "stdin_close");
        inLaunch(
                "session_end and stdin_eof",
                launch -> {
                    launch.put("stdin", "a");
                    launch.put("stdin_eof", true);
                    launch.put("session_end", "stdin_close");
                },
                "session_end",
                "excludes launch.stdin_eof");
        inLaunch("mode other", launch -> launch.put("mode", "tty"), "mode", "pipes or window");
        inLaunch("window without size", launch -> launch.put("mode", "window"), "window", "is required");
        inLaunch("window for pipes", launch -> launch.put("window", size(1, 1)), "window", "needs launch.mode window");
        inLaunch("mode object empty", launch -> launch.put("mode", map()), "mode.window", "is required");
        inLaunch(
                "window twice",
                launch -> {
                    launch.put("mode", map("window", size(1, 1)));
                    launch.put("window", size(1, 1));
                },
                "window",
                "beside a launch.mode");
        for (long wrong : new long[] {0, 1001, -1, Long.MAX_VALUE}) {
            inLaunch(
                    "rows " + wrong,
                    launch -> launch.putAll(map("mode", "window", "window", size(wrong, 1))),
                    "window.rows",
                    "from 1 to 1000");
            inLaunch(
                    "cols " + wrong,
                    launch -> launch.put("mode", map("window", size(1, wrong))),
                    "mode.window.cols",
                    "from 1 to 1000");
        }
        inLaunch(
                "rows absent", launch -> launch.put("mode", map("window", map("cols", 1L))), "mode.window.rows", "req");
        inLaunch("readiness empty", launch -> launch.put("readiness", ""), "readiness", "1 to 256");
        inLaunch("readiness long", launch -> launch.put("readiness", "a".repeat(257)), "readiness", "1 to 256");
        inLaunch(
                "work unknown",
                launch -> launch.put("working_directory_ref", "w"),
                "working_directory_ref",
                "name one");
        inLaunch("home unknown", launch -> launch.put("home_ref", "home"), "home_ref", "name one");
        inLaunch("home_ref form", launch -> launch.put("home_ref", "a/b"), "home_ref", "letters, digits");
    }

    private static Map<String, Object> size(long rows, long cols) {
        return map("rows", rows, "cols", cols);
    }

    private void environment() {
        for (String name :
                List.of("", "a", "1A", "A-B", "A=B", "\u00dc", "HOME", "PATH", "BERTH_ATTEMPT_KEY", "BERTH_")) {
            String shown = "environment." + name;
            add("variable '" + name + "'", tree -> tree.put("environment", map(name, "x")), shown, "variable");
            add(
                    "reference '" + name + "'",
                    tree -> tree.put("environment_refs", map(name, "x")),
                    "environment_refs." + name,
                    "variable");
            inLaunch(
                    "asked variable '" + name + "'",
                    launch -> launch.put("environment", list(name)),
                    "environment[0]",
                    "variable");
        }
        add("value NUL", tree -> tree.put("environment", map("A", "x\0")), "environment.A", "NUL");
        add("value surrogate", tree -> tree.put("environment", map("A", "\ud800")), "environment.A", "lone surrogate");
        add(
                "value long",
                tree -> tree.put("environment", map("A", "x".repeat(16_385))),
                "environment.A",
                "16384 bytes");
        add("65 names", tree -> tree.put("environment", variables(65, "")), "environment", "at most 64 names");
        add(
                "64 names and a reference",
                tree -> {
                    tree.put("environment", variables(64, ""));
                    tree.put("environment_refs", map("ONE", "x"));
                },
                "environment",
                "at most 64 names");
        add(
                "64 names and a projection",
                tree -> {
                    tree.put("environment", variables(64, ""));
                    tree.put("projections", list("login"));
                },
                "environment",
                "at most 64 names");
        add("bytes", tree -> tree.put("environment", variables(5, "x".repeat(13_200))), "environment", "65536 bytes");
        add(
                "name in both maps",
                tree -> {
                    tree.put("environment", map("A", "x"));
                    tree.put("environment_refs", map("A", "x"));
                },
                "environment_refs.A",
                "in environment as well");
        add("reference form", tree -> tree.put("environment_refs", map("A", "/x")), "environment_refs.A", "letters");
        inLaunch("name not supplied", launch -> launch.put("environment", list("A")), "environment[0]", "must supply");
        inLaunch(
                "name twice",
                launch -> launch.put("environment", list("A", "A")),
                "environment[1]",
                "must be named once");
        inLaunch(
                "65 asked names",
                launch -> launch.put("environment", list(new Object[65])),
                "environment",
                "at most 64");
    }

    private static Map<String, Object> variables(int count, String value) {
        Map<String, Object> variables = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            variables.put("V" + i, value);
        }
        return variables;
    }

    private void resources() {
        for (String wrong : List.of("", "a/b", " a", "a".repeat(161))) {
            inResource("name '" + wrong + "'", each -> each.put("name", wrong), "name", "letters, digits");
        }
        inResource("grant_ref form", each -> each.put("grant_ref", "/a"), "grant_ref", "letters, digits");
        inResource("root_ref form", each -> each.put("root_ref", ""), "root_ref", "letters, digits");
        for (String wrong : List.of("..", "a/..", "../a", "a/../b")) {
            inResource("subpath " + wrong, each -> each.put("subpath", wrong), "subpath", "must not contain ..");
        }
        inResource("subpath absolute", each -> each.put("subpath", "/a"), "subpath", "must be relative");
        inResource("subpath NUL", each -> each.put("subpath", "a\0b"), "subpath", "NUL");
        inResource("subpath backslash", each -> each.put("subpath", "a\\b"), "subpath", "backslash");
        inResource("subpath long", each -> each.put("subpath", "a".repeat(4_097)), "subpath", "4096 bytes");
        inResource("subpath surrogate", each -> each.put("subpath", "\ud800"), "subpath", "lone surrogate");
        inResource("access other", each -> each.put("access", "execute"), "access", "read or write");
        inResource("purpose other", each -> each.put("purpose", "home"), "purpose", "project or output");
        add(
                "17 resources",
                tree -> {
                    List<Object> many = list();
                    for (int i = 0; i < 17; i++) {
                        many.add(resource("r" + i, "cache"));
                    }
                    tree.put("resources", many);
                },
                "resources",
                "at most 16 items");
        add(
                "resource named twice",
                tree -> tree.put("resources", list(resource("a", "cache"), resource("a", "output"))),
                "resources[1].name",
                "must be unique");
        inResource("read-only home", each -> each.putAll(map("purpose", "session", "access", "read")), null, "session");
        inResource("home of purpose project", each -> each.put("purpose", "project"), null, "session");
        add("session_ref alone", tree -> tree.put("session_ref", "s"), "session_ref", "needs launch.home_ref");
        add("session_ref form", tree -> tree.put("session_ref", "/s"), "session_ref", "letters, digits");
        add(
                "session_ref with machine_home",
                tree -> {
                    Map<String, Object> home = resource("home", "project");
                    home.put("root_ref", "machine_home");
                    tree.put("resources", list(home));
                    child(tree, "launch").put("home_ref", "home");
                    tree.put("session_ref", "s");
                },
                "session_ref",
                "needs launch.home_ref");
    }

    private void rest() {
        add("projection form", tree -> tree.put("projections", list("a/b")), "projections[0]", "letters, digits");
        add("projection twice", tree -> tree.put("projections", list("a", "a")), "projections[1]", "named once");
        add(
                "9 projections",
                tree -> tree.put("projections", list("a", "b", "c", "d", "e", "f", "g", "h", "i")),
                "projections",
                "at most 8 items");
        inObject("executable", "revision other", each -> each.put("revision", "x@1"), "revision", "measurement@1");
        inObject("executable", "kind other", each -> each.put("kind", "pe"), "kind", "elf or script or other");
        inObject("executable", "digest other", each -> each.put("digest", "0"), "digest", "64 lower-case");
        add(
                "required_cleanup other",
                tree -> tree.put("required_cleanup", "tree"),
                "required_cleanup",
                "direct_process");
        add(
                "required_exit_observation other",
                tree -> tree.put("required_exit_observation", "INDEPENDENT"),
                "required_exit_observation",
                "independent or eof_gated");
        range("start_ms", 0, 120_001);
        range("stop_grace_ms", -1, 60_001);
        range("drain_ms", 99, 600_001);
        range("retain_ms", 99, 600_001);
        inObject("output", "recipient other", each -> each.put("recipient", "file"), "recipient", "stream or log");
        inObject("output", "truncation word", each -> each.put("truncation", "on"), "truncation", "must be \"off\"");
        inObject("output", "truncation empty", each -> each.put("truncation", map()), "truncation.on", "is required");
        for (long wrong : new long[] {0, 16_777_217}) {
            inObject(
                    "output",
                    "bytes " + wrong,
                    each -> each.put("truncation", map("on", map("bytes", wrong))),
                    "truncation.on.bytes",
                    "from 1 to 16777216");
        }
        for (long wrong : new long[] {0, 1_000_001}) {
            inObject(
                    "output",
                    "lines " + wrong,
                    each -> each.put("truncation", map("on", map("lines", wrong))),
                    "truncation.on.lines",
                    "from 1 to 1000000");
        }
        inObject(
                "output",
                "keep other",
                each -> each.put("truncation", map("on", map("keep", "middle"))),
                "truncation.on.keep",
                "head or tail");
        add("options deep", tree -> tree.put("options", nested(9)), "options", "8 levels deep");
        add("options big", tree -> tree.put("options", map("a", "x".repeat(65_536))), "options", "65536 bytes");
        add(
                "options number",
                tree -> tree.put("options", map("a", list(new BigDecimal("1e9999")))),
                "options.a[0]",
                "exponent");
        add("options surrogate", tree -> tree.put("options", map("a", "\ud800")), "options.a", "lone surrogate");
    }

    private static Map<String, Object> nested(int levels) {
        return levels == 1 ? map("a", 1L) : map("a", nested(levels - 1));
    }

    private void range(String name, long below, long above) {
        for (long wrong : new long[] {below, above, Long.MAX_VALUE, Long.MIN_VALUE}) {
            inObject(
                    "timeouts", name + " " + wrong, each -> each.put(name, wrong), name, "must be a whole number from");
        }
    }

    private void inLaunch(String label, Consumer<Map<String, Object>> fault, String name, String rule) {
        add("launch: " + label, tree -> fault.accept(child(tree, "launch")), "launch." + name, rule);
    }

    /** {@code name} null: the launch names the resource as its home, and home_ref is what is refused. */
    private void inResource(String label, Consumer<Map<String, Object>> fault, String name, String rule) {
        add(
                "resource: " + label,
                tree -> {
                    Map<String, Object> resource = resource("r", "session");
                    fault.accept(resource);
                    tree.put("resources", list(resource));
                    if (name == null) {
                        child(tree, "launch").put("home_ref", "r");
                    }
                },
                name == null ? "launch.home_ref" : "resources[0]." + name,
                rule);
    }

    private void inObject(String object, String label, Consumer<Map<String, Object>> fault, String name, String rule) {
        Map<String, Object> tree = fullest();
        fault.accept(child(tree, object));
        faults.add(new Fault(object + ": " + label, tree, object + "." + name, rule));
    }

    private void inFull(String label, Consumer<Map<String, Object>> fault, String path) {
        Map<String, Object> tree = fullest();
        fault.accept(tree);
        faults.add(new Fault("type: " + label, tree, path, "must be"));
    }

    private void unknown(String label, Consumer<Map<String, Object>> fault, String path, String rule) {
        Map<String, Object> tree = fullest();
        fault.accept(tree);
        faults.add(new Fault("unknown field: " + label, tree, path, rule));
    }

    private void add(String label, Consumer<Map<String, Object>> fault, String path, String rule) {
        Map<String, Object> tree = smallest();
        fault.accept(tree);
        faults.add(new Fault(label, tree, path, rule));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> child(Map<String, Object> tree, String name) {
        return (Map<String, Object>) tree.get(name);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> firstResource(Map<String, Object> tree) {
        return (Map<String, Object>) ((List<Object>) tree.get("resources")).getFirst();
    }
}
