package org.berth.web;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.Map;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Reads a body of at most {@link #MAX_BYTES}, or of its {@link BodyLimit}, as strict JSON. Takes every media type, so that an operation without
 * fields may be called without a body and without saying what it is.
 */
@Provider
@Consumes(MediaType.WILDCARD)
public class JsonTreeReader implements MessageBodyReader<JsonTree> {
    /** Source: api.md, Errors: bodies over 1 MiB answer 413. */
    public static final int MAX_BYTES = 1 << 20;

    @Override
    public boolean isReadable(Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
        return type == JsonTree.class;
    }

    @Override
    public JsonTree readFrom(
            Class<JsonTree> type,
            Type generic,
            Annotation[] annotations,
            MediaType media,
            MultivaluedMap<String, String> headers,
            InputStream body)
            throws IOException {
        String announced = headers.getFirst("Content-Length");
        int limit = limit(annotations);
        if (announced != null && announced.length() > 7) {
            throw tooLarge(limit);
        }
        byte[] bytes = whole(body, limit);
        if (bytes.length > limit) {
            throw tooLarge(limit);
        }
        if (bytes.length == 0) {
            return new JsonTree(Map.of());
        }
        requireJson(media);
        return new JsonTree(StrictJson.object(bytes));
    }

    private static byte[] whole(InputStream body, int limit) throws IOException {
        try {
            return body.readNBytes(limit + 1);
        } catch (SlowBodyException e) {
            throw new BerthException(ProblemCode.REQUEST_TIMEOUT, "the body did not come in time", e);
        }
    }

    private static void requireJson(MediaType media) {
        if (media == null
                || !media.getType().equalsIgnoreCase("application")
                || !media.getSubtype().equalsIgnoreCase("json")) {
            throw new BerthException(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "this route takes application/json");
        }
        String charset = media.getParameters().get(MediaType.CHARSET_PARAMETER);
        if (charset != null && !charset.equalsIgnoreCase("utf-8")) {
            throw new BerthException(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "JSON is sent as UTF-8 only");
        }
    }

    private static int limit(Annotation[] annotations) {
        for (Annotation each : annotations) {
            if (each instanceof BodyLimit limit) {
                return limit.value();
            }
        }
        return MAX_BYTES;
    }

    private static BerthException tooLarge(int limit) {
        return new BerthException(ProblemCode.TOO_LARGE, "the body is over " + limit + " bytes");
    }
}
