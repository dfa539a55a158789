package org.berth.guest;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.berth.guest.Refused.Code;
import org.berth.guest.files.GuestFiles;
import org.berth.guest.json.Json;
import org.berth.guest.launch.ResidentOptions;
import org.berth.guest.os.KernelException;
import org.berth.guest.os.OwnProcess;
import org.berth.guest.podman.ContainerStream;
import org.berth.guest.request.Request;
import org.berth.guest.request.Requests;
import org.berth.guest.serve.LineServer;
import org.berth.guest.terminal.ViewerClient;
import org.berth.guest.terminal.ViewerDoor;
import org.berth.guest.terminal.ViewerPipe;

/**
 * The program inside a guest. Options and replies are the reference's; a refusal is a reply too, so the exit code is 0
 * for both and 2 for options that it does not know. {@code --serve}, {@code --view}, {@code --view-pipe}, {@code
 * --view-podman} and {@code --gateway} are its further forms.
 */
public final class Guest {
    private static final int USAGE = 2;
    private static final int FAILED = 1;
    private static final String PROGRAM = "/opt/openrig/bin/guest";
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private Guest() {}

    public static void main(String[] arguments) {
        int code;
        try {
            code = run(Arrays.asList(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println("guest: " + e.getMessage());
            code = USAGE;
        } catch (IOException e) {
            System.err.println("guest: " + e.getMessage());
            code = FAILED;
        } catch (InterruptedException e) {
            code = FAILED;
        }
        Runtime.getRuntime().halt(code);
    }

    static int run(List<String> arguments) throws IOException, InterruptedException {
        if (isLatch(arguments)) {
            latch(ResidentOptions.parse(arguments));
            return 0;
        }
        OwnProcess.hide();
        if (arguments.contains("--gateway")) {
            Gateway.parse(without(arguments, "--gateway")).run();
        } else if (arguments.contains("--serve")) {
            serve(Request.parse(without(arguments, "--serve")).root());
        } else if (arguments.size() == 3 && arguments.getFirst().equals("--view-podman")) {
            viewContainer(Path.of(arguments.get(1)), arguments.get(2));
        } else if (arguments.contains("--view-pipe")) {
            ViewerPipe.join(door(without(arguments, "--view-pipe")));
        } else if (arguments.contains("--view")) {
            view(arguments);
        } else if (Request.parse(arguments).isLatch()) {
            latch(ResidentOptions.parse(
                    List.of("--root", Request.parse(arguments).root())));
        } else {
            answer(Request.parse(arguments));
        }
        return 0;
    }

    private static List<String> without(List<String> arguments, String option) {
        List<String> rest = new ArrayList<>(arguments);
        rest.remove(option);
        return rest;
    }

    /** Whether only the launch can be meant. */
    private static boolean isLatch(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (!ResidentOptions.NAMES.contains(name)) {
                return false;
            }
        }
        return true;
    }

    private static void answer(Request request) throws IOException {
        Map<String, Object> reply;
        try {
            reply = new Requests(new GuestFiles(request.root()), environment()).reply(request, null);
        } catch (Refused e) {
            reply = Requests.refusal(e.code());
        }
        print(reply);
    }

    private static void latch(ResidentOptions options) throws IOException, InterruptedException {
        try {
            Resident.run(options);
        } catch (Refused e) {
            print(Requests.refusal(e.code()));
        } catch (IllegalArgumentException | KernelException e) {
            System.err.println("guest: " + e.getMessage());
            print(Requests.refusal(Code.GUEST_UNCONFIRMED));
        }
    }

    private static void serve(String root) throws IOException {
        GuestFiles files = new GuestFiles(root);
        Requests requests = new Requests(files, environment());
        new LineServer(
                        new FileInputStream(FileDescriptor.in).getChannel(),
                        OUT.getChannel(),
                        (arguments, data) -> Served.reply(files, requests, arguments, data))
                .run();
    }

    /** {@code --view} looks in through the helper's own socket, {@code --view SOCKET} through another. */
    private static void view(List<String> arguments) throws IOException {
        int at = arguments.indexOf("--view");
        List<String> rest = new ArrayList<>(arguments);
        rest.remove(at);
        if (at < rest.size() && !rest.get(at).startsWith("--")) {
            ViewerClient.view(Path.of(rest.get(at)));
        } else {
            ViewerClient.view(door(rest));
        }
    }

    private static Path door(List<String> arguments) {
        return Path.of(new GuestFiles(Request.parse(arguments).root()).absolute(ViewerDoor.SOCKET));
    }

    /** On the host: the own terminal, and the helper in {@code container} of the engine at {@code socket}. */
    private static void viewContainer(Path socket, String container) throws IOException {
        try (ContainerStream stream = ContainerStream.open(socket, container, List.of(PROGRAM, "--view-pipe"))) {
            ViewerClient.view(stream);
        }
    }

    private static Map<String, String> environment() {
        return ProviderFile.joined(System.getenv());
    }

    static void print(Map<String, Object> reply) throws IOException {
        byte[] line = Json.write(reply);
        byte[] whole = Arrays.copyOf(line, line.length + 1);
        whole[line.length] = '\n';
        OUT.write(whole);
    }
}
