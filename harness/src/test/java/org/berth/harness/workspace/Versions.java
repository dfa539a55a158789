package org.berth.harness.workspace;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Generated files of a base, its parent and its child: few paths and few versions, so that they meet. */
record Versions(SortedMap<String, String> base, SortedMap<String, String> parent, SortedMap<String, String> child) {
    static final List<String> PATHS = List.of("a", "b", "c d", "d/x", "d/y", "e/f/g", "ü");
    /** Of the same size where they can be, so that only their bytes tell. */
    static final List<String> CONTENTS = List.of("f:one", "f:two", "f:", "x:one", "l:one", "f:" + "long".repeat(1000));

    /** Null stands for no file. */
    static Versions generated(Random random) {
        Function<SortedMap<String, String>, SortedMap<String, String>> changed = before -> {
            SortedMap<String, String> after = new TreeMap<>(before);
            for (String path : PATHS) {
                if (random.nextInt(2) == 0) {
                    continue;
                }
                if (random.nextInt(4) == 0) {
                    after.remove(path);
                } else {
                    after.put(path, CONTENTS.get(random.nextInt(CONTENTS.size())));
                }
            }
            return after;
        };
        SortedMap<String, String> base = changed.apply(new TreeMap<>());
        return new Versions(base, changed.apply(base), changed.apply(base));
    }

    static Arbitrary<Versions> arbitrary() {
        return Arbitraries.longs().map(seed -> generated(new Random(seed)));
    }

    /** Every path that one of the three has. */
    List<String> paths() {
        List<String> paths = new ArrayList<>(PATHS);
        paths.removeIf(path -> !base.containsKey(path) && !parent.containsKey(path) && !child.containsKey(path));
        return paths;
    }
}
