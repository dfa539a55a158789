package org.berth.guest;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.berth.guest.files.GuestFiles;
import org.berth.guest.json.Json;
import org.berth.guest.os.OwnProcess;
import org.berth.guest.request.Request;
import org.berth.guest.request.Requests;

/**
 * The program inside a guest. Options and replies are the reference's; a refusal is a reply too, so the exit code is 0
 * for both and 2 for options that it does not know.
 */
public final class Guest {
    private static final int USAGE = 2;
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private Guest() {}

    public static void main(String[] arguments) throws IOException {
        OwnProcess.hide();
        int code = run(Arrays.asList(arguments));
        Runtime.getRuntime().halt(code);
    }

    private static int run(List<String> arguments) throws IOException {
        Request request;
        try {
            request = Request.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println("guest: " + e.getMessage());
            return USAGE;
        }
        Map<String, Object> reply;
        try {
            reply = new Requests(new GuestFiles(request.root()), System.getenv()).reply(request, null);
        } catch (Refused e) {
            reply = Requests.refusal(e.code());
        }
        print(reply);
        return 0;
    }

    static void print(Map<String, Object> reply) throws IOException {
        byte[] line = Json.write(reply);
        byte[] whole = Arrays.copyOf(line, line.length + 1);
        whole[line.length] = '\n';
        OUT.write(whole);
    }
}
