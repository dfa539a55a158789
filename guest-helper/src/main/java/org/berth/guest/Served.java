package org.berth.guest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.guest.Refused.Code;
import org.berth.guest.files.GuestFiles;
import org.berth.guest.request.Request;
import org.berth.guest.request.Requests;

/** Requests that come over a line: those of the one-shot form, on the root of the helper that serves them. */
final class Served {
    private Served() {}

    /** @throws IllegalArgumentException for what is no such request */
    static Map<String, Object> reply(GuestFiles files, Requests requests, List<String> arguments, byte[] data) {
        List<String> rooted = new ArrayList<>(List.of("--root", files.root()));
        rooted.addAll(arguments);
        Request request = Request.parse(rooted);
        if (!request.root().equals(files.root())) {
            return Requests.refusal(Code.ROOT_INVALID);
        }
        return requests.reply(request, data);
    }
}
