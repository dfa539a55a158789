package org.berth.placement.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Arrays;
import org.berth.access.Caller;
import org.berth.placement.OutputStreamKind;
import org.berth.placement.service.LogService;
import org.berth.process.protocol.LogFiles;
import org.berth.web.Callers;
import org.berth.web.Fields;

/**
 * The bytes that the log recipient kept, as they are. {@code from} skips what was produced before that offset, {@code
 * tail} keeps the last so many lines.
 */
@Path("/api/placement/attempts")
public class LogResource {
    @Inject
    private Callers callers;

    @Inject
    private LogService logs;

    @GET
    @Path("{id}/logs")
    public Response read(
            @PathParam("id") String id,
            @QueryParam("stream") String stream,
            @QueryParam("from") String from,
            @QueryParam("tail") String tail) {
        OutputStreamKind kind =
                stream == null ? OutputStreamKind.STDOUT : Fields.constant("stream", stream, OutputStreamKind.class);
        long offset = Fields.queryNumber("from", from, 0, 0, Long.MAX_VALUE);
        long lines = Fields.queryNumber("tail", tail, Long.MAX_VALUE, 0, Long.MAX_VALUE);
        Caller caller = callers.current();
        LogFiles.Kept kept = logs.read(caller, id, kind);
        byte[] bytes = lastLines(after(kept, offset), lines);
        return Response.ok(bytes, MediaType.APPLICATION_OCTET_STREAM_TYPE)
                .header("X-Berth-Log-Produced", kept.counts().produced())
                .header("X-Berth-Log-Kept", kept.counts().kept())
                .header("X-Berth-Log-Dropped", kept.counts().dropped())
                .header("X-Berth-Log-From", kept.counts().produced() - bytes.length)
                .build();
    }

    private static byte[] after(LogFiles.Kept kept, long offset) {
        long firstKept = kept.counts().produced() - kept.bytes().length;
        if (offset <= firstKept) {
            return kept.bytes();
        }
        int skip = (int) Math.min(offset - firstKept, kept.bytes().length);
        return Arrays.copyOfRange(kept.bytes(), skip, kept.bytes().length);
    }

    private static byte[] lastLines(byte[] bytes, long lines) {
        if (lines == 0) {
            return new byte[0];
        }
        int end = bytes.length > 0 && bytes[bytes.length - 1] == '\n' ? bytes.length - 1 : bytes.length;
        long left = lines;
        for (int i = end - 1; i >= 0; i--) {
            if (bytes[i] == '\n' && --left == 0) {
                return Arrays.copyOfRange(bytes, i + 1, bytes.length);
            }
        }
        return bytes;
    }
}
