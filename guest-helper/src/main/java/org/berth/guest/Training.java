package org.berth.guest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.guest.files.GuestFiles;
import org.berth.guest.json.Json;
import org.berth.guest.os.OwnProcess;
import org.berth.guest.request.Request;
import org.berth.guest.request.Requests;

/**
 * Answers each kind of request once, so that the build can record what a start loads. Its one argument is a directory
 * for the run. Used by the build only.
 */
final class Training {
    private static final String ID = "00000000-0000-4000-8000-000000000000";

    private Training() {}

    public static void main(String[] arguments) throws IOException {
        OwnProcess.hide();
        Path directory = Files.createDirectories(Path.of(arguments[0]).toAbsolutePath());
        String root = Files.createTempDirectory(directory.toRealPath(), "root").toString();
        Requests requests = new Requests(new GuestFiles(root), Map.of("ANTHROPIC_API_KEY", "training"));
        String descriptor = "{\"version\":1,\"bindingId\":\"b\",\"generation\":\"g\",\"nativeId\":\"" + ID
                + "\",\"files\":[{\"path\":\"work/a\",\"bytes\":1,\"sha256\":"
                + "\"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881\"}],\"x\":[1.5,true,false,null]}";
        byte[] bytes = {'x'};
        ask(requests, bytes, true, "--put", "work/a", "--previous", "missing");
        ask(requests, bytes, true, "--put", "control/in", "--previous", "missing", "--mode", "0700");
        ask(requests, null, true, "--stage", "control/next");
        ask(requests, null, true, "--read", root + "/work/a");
        ask(requests, null, true, "--stat", "work/a");
        ask(requests, null, true, "--install", "control/in", "--destination", "work/b", "--previous", "missing");
        ask(requests, null, false, "--read", "work/none");
        byte[] pending = descriptor.getBytes(StandardCharsets.UTF_8);
        ask(requests, pending, true, "--put", "control/launch.pending.json", "--previous", "missing");
        ask(requests, null, true, "--prepare");
        ask(requests, null, false, "--identity");
        ask(requests, null, false, "--checkpoint-files");
    }

    private static void ask(Requests requests, byte[] data, boolean good, String... arguments) throws IOException {
        Map<String, Object> reply = requests.reply(Request.parse(List.of(arguments)), data);
        Guest.print(reply);
        if (!Boolean.valueOf(good).equals(reply.get("ok"))) {
            throw new IllegalStateException(
                    "unexpected reply " + new String(Json.write(reply), StandardCharsets.US_ASCII));
        }
    }
}
