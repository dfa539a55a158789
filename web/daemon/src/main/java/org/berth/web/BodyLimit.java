package org.berth.web;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** On a {@link JsonTree} parameter: how many bytes its body may have, where {@link JsonTreeReader#MAX_BYTES} are too few. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface BodyLimit {
    int value();
}
