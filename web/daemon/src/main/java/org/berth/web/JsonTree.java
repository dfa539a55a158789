package org.berth.web;

import java.util.LinkedHashMap;
import java.util.Map;

/** A JSON object, as a body that was read strictly or one to be written. */
public record JsonTree(Map<String, Object> members) {
    /** An object of one member. */
    public static JsonTree of(String name, Object value) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put(name, value);
        return new JsonTree(members);
    }
}
