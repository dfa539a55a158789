package org.berth.harness.files;

import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** The fields of a request; one of another type is refused by name. */
record Fields(JsonObject object) {
    boolean has(String name) {
        return object.containsKey(name) && object.get(name) != JsonValue.NULL;
    }

    String text(String name) throws FsException {
        if (object.get(name) instanceof JsonString text) {
            return text.getString();
        }
        throw FsException.invalid(name + " must be a string");
    }

    String text(String name, String otherwise) throws FsException {
        return has(name) ? text(name) : otherwise;
    }

    boolean flag(String name) throws FsException {
        if (!has(name)) {
            return false;
        }
        return switch (object.get(name).getValueType()) {
            case TRUE -> true;
            case FALSE -> false;
            default -> throw FsException.invalid(name + " must be true or false");
        };
    }

    /** A whole number from 1 on; one above {@code most} counts as that. */
    int count(String name, int otherwise, int most) throws FsException {
        if (!has(name)) {
            return Math.min(otherwise, most);
        }
        if (object.get(name) instanceof JsonNumber number
                && number.isIntegral()
                && number.bigIntegerValue().signum() > 0) {
            return number.bigIntegerValue()
                    .min(java.math.BigInteger.valueOf(most))
                    .intValue();
        }
        throw FsException.invalid(name + " must be a whole number from 1 on");
    }

    List<Fields> list(String name) throws FsException {
        if (!has(name)) {
            return List.of();
        }
        List<Fields> items = new ArrayList<>();
        if (!(object.get(name) instanceof JsonArray array)) {
            throw FsException.invalid(name + " must be a list");
        }
        for (JsonValue item : array) {
            if (!(item instanceof JsonObject fields)) {
                throw FsException.invalid(name + " must be a list of objects");
            }
            items.add(new Fields(fields));
        }
        return items;
    }
}
