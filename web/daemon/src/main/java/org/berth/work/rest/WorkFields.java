package org.berth.work.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.berth.problem.BerthException;
import org.berth.web.Fields;
import org.berth.web.JsonTree;
import org.berth.web.Senders;
import org.berth.work.ClosureReason;
import org.berth.work.WorkItem;
import org.berth.work.WorkPriority;
import org.berth.work.WorkState;

/** Reads the fields of the queue's bodies. An absent field is null. */
final class WorkFields {
    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,63}");
    private static final String PRIORITIES = "routine, urgent, critical";
    private static final String STATES = "pending, in-progress, blocked, done, failed, denied, canceled, handed-off";
    private static final String REASONS = "no-follow-on, handed_off_to, blocked_on, denied, canceled, escalation";

    private final Map<String, Object> members;
    private final Fields fields;

    WorkFields(JsonTree body, String... known) {
        this.fields = Fields.of(body, known);
        this.members = body == null ? Map.of() : body.members();
    }

    boolean has(String name) {
        return fields.has(name);
    }

    String identifier(String name) {
        return has(name) ? fields.identifier(name) : null;
    }

    String seat(String name) {
        return has(name) ? Senders.seat(name, fields.text(name, Senders.MAX_SEAT)) : null;
    }

    String requiredSeat(String name) {
        return Senders.seat(name, fields.text(name, Senders.MAX_SEAT));
    }

    String body(String name) {
        return has(name) ? text(name, WorkItem.MAX_BODY) : null;
    }

    String requiredBody(String name) {
        return text(name, WorkItem.MAX_BODY);
    }

    String note(String name) {
        return has(name) ? text(name, WorkItem.MAX_NOTE) : null;
    }

    /** A seat or an item. */
    String target(String name) {
        return has(name) ? text(name, Senders.MAX_SEAT) : null;
    }

    private String text(String name, int most) {
        String text = fields.text(name, most);
        if (text.isBlank()) {
            throw BerthException.invalid(name + " must not be blank");
        }
        return text;
    }

    WorkPriority priority(String name) {
        return constant(name, WorkPriority::parse, PRIORITIES);
    }

    WorkState state(String name) {
        return constant(name, WorkState::parse, STATES);
    }

    ClosureReason reason(String name) {
        return constant(name, ClosureReason::parse, REASONS);
    }

    boolean flag(String name) {
        Object value = members.get(name);
        if (!has(name) || Boolean.FALSE.equals(value)) {
            return false;
        }
        if (Boolean.TRUE.equals(value)) {
            return true;
        }
        throw BerthException.invalid(name + " must be true or false");
    }

    List<String> tags(String name) {
        if (!has(name)) {
            return null;
        }
        if (!(members.get(name) instanceof List<?> values) || values.size() > WorkItem.MAX_TAGS) {
            throw BerthException.invalid(name + " must be a list of at most " + WorkItem.MAX_TAGS + " tags");
        }
        List<String> tags = new ArrayList<>();
        for (Object value : values) {
            if (!(value instanceof String tag) || !TAG.matcher(tag).matches() || tags.contains(tag)) {
                throw BerthException.invalid(
                        name + " must be different words of 1 to 64 letters, digits or . _ : / @ -");
            }
            tags.add(tag);
        }
        return tags;
    }

    private <T> T constant(String name, Function<String, Optional<T>> parse, String words) {
        return has(name) ? constant(name, members.get(name), parse, words) : null;
    }

    static WorkState queryState(String value) {
        return value == null ? null : constant("state", value, WorkState::parse, STATES);
    }

    static WorkPriority queryPriority(String value) {
        return value == null ? null : constant("priority", value, WorkPriority::parse, PRIORITIES);
    }

    private static <T> T constant(String name, Object value, Function<String, Optional<T>> parse, String words) {
        if (value instanceof String text) {
            Optional<T> constant = parse.apply(text);
            if (constant.isPresent()) {
                return constant.get();
            }
        }
        throw BerthException.invalid(name + " must be one of " + words);
    }
}
