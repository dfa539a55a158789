package org.berth.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.berth.guest.files.GuestFiles;
import org.berth.guest.launch.Latch;
import org.berth.guest.launch.ResidentOptions;
import org.berth.guest.launch.ResidentOptions.PortToSocket;
import org.berth.guest.os.Ancestry;
import org.berth.guest.os.Children;
import org.berth.guest.os.OwnProcess;
import org.berth.guest.os.TerminalSize;
import org.berth.guest.request.Requests;
import org.berth.guest.serve.ControlLine;
import org.berth.guest.serve.LineServer;
import org.berth.guest.terminal.Terminal;
import org.berth.guest.terminal.ViewerDoor;
import org.berth.process.egress.Relay;

/** The helper that stays: relays, the line to the host, the native's terminal, and the launch latch. */
final class Resident implements LineServer.Answers {
    /** Beside the control socket: where a viewer is dialled. */
    private static final String VIEWER = "viewer.sock";

    private final GuestFiles files;
    private final Requests requests;
    private final Terminal terminal;
    private final Path control;

    private Resident(GuestFiles files, Requests requests, Terminal terminal, Path control) {
        this.files = files;
        this.requests = requests;
        this.terminal = terminal;
        this.control = control;
    }

    /** What leads out of the guest. */
    private record Outside(List<Relay> relays, CountDownLatch line) {}

    /**
     * Relays and line are opened on a thread of their own, since this one needs as long for the first native call. Requests
     * wait for both.
     *
     * @throws Refused what ends the latch
     */
    static void run(ResidentOptions options) throws IOException, InterruptedException {
        CompletableFuture<LineServer.Answers> answers = new CompletableFuture<>();
        CompletableFuture<Outside> outside = CompletableFuture.supplyAsync(
                () -> open(options, answers),
                task -> Thread.ofPlatform().name("outside").daemon().start(task));
        OwnProcess.hide();
        GuestFiles files = new GuestFiles(options.root());
        files.makeRoot();
        Map<String, String> environment = ProviderFile.joined(System.getenv());
        Ancestry.adoptOrphans();
        Children children = Children.watch();
        Terminal terminal = Terminal.open();
        openDoor(files, terminal);
        answers.complete(new Resident(files, new Requests(files, environment), terminal, options.control()));
        Outside opened = opened(outside);
        new Latch(files, options, environment, terminal, children).run(opened.line());
        opened.relays().forEach(Relay::close);
    }

    private static Outside open(ResidentOptions options, CompletableFuture<LineServer.Answers> answers) {
        try {
            List<Relay> relays = openRelays(options);
            return new Outside(
                    relays,
                    options.control() == null
                            ? Latch.noLine()
                            : ControlLine.dial(options.control(), answers).connected());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Outside opened(CompletableFuture<Outside> outside) throws IOException {
        try {
            return outside.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof UncheckedIOException failed) {
                throw failed.getCause();
            }
            throw e;
        }
    }

    private static List<Relay> openRelays(ResidentOptions options) throws IOException {
        List<PortToSocket> wanted = new ArrayList<>(options.relays());
        if (options.proxy() != null) {
            wanted.add(options.proxy());
        }
        List<Relay> relays = new ArrayList<>();
        for (PortToSocket each : wanted) {
            relays.add(Relay.open(
                    new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), each.port()),
                    UnixDomainSocketAddress.of(each.socket()),
                    Thread.ofPlatform().daemon()));
        }
        return relays;
    }

    /** A root too deep for a socket's path has no door; its viewers are dialled. */
    private static void openDoor(GuestFiles files, Terminal terminal) {
        files.makeParents(ViewerDoor.SOCKET);
        try {
            ViewerDoor.open(Path.of(files.absolute(ViewerDoor.SOCKET)), terminal);
        } catch (IOException e) {
            System.err.println("guest: no socket for viewers: " + e.getMessage());
        }
    }

    @Override
    public Map<String, Object> reply(List<String> arguments, byte[] data) {
        if (arguments.equals(List.of("--viewer")) && control != null) {
            ViewerDoor.dial(control.resolveSibling(VIEWER), terminal);
            return ok();
        }
        if (arguments.size() == 2 && arguments.getFirst().equals("--resize")) {
            terminal.resize(TerminalSize.parse(arguments.getLast()));
            return ok();
        }
        return Served.reply(files, requests, arguments, data);
    }

    private static Map<String, Object> ok() {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("ok", true);
        return reply;
    }
}
