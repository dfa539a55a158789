package org.berth.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** What the tools share. */
final class Scope {
    private Scope() {}

    /** Says nothing about whether the item or seat exists. */
    static BerthException outside() {
        return new BerthException(ProblemCode.FORBIDDEN, "not in scope of this work grant");
    }

    /** The members of a parsed object, whose keys are always strings. */
    static Map<String, Object> members(Map<?, ?> object) {
        Map<String, Object> members = new LinkedHashMap<>();
        object.forEach((name, value) -> members.put(String.valueOf(name), value));
        return members;
    }
}
