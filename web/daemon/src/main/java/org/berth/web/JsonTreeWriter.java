package org.berth.web;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyWriter;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import org.berth.json.JsonText;

/** Writes a tree as UTF-8 JSON. */
@Provider
public class JsonTreeWriter implements MessageBodyWriter<JsonTree> {
    @Override
    public boolean isWriteable(Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
        return type == JsonTree.class;
    }

    @Override
    public void writeTo(
            JsonTree tree,
            Class<?> type,
            Type generic,
            Annotation[] annotations,
            MediaType media,
            MultivaluedMap<String, Object> headers,
            OutputStream out)
            throws IOException {
        out.write(JsonText.write(tree.members()).getBytes(StandardCharsets.UTF_8));
    }
}
