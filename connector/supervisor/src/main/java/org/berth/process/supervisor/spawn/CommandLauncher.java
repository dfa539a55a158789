package org.berth.process.supervisor.spawn;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.environment.CommandOrder;
import org.berth.problem.BerthException;
import org.berth.process.supervisor.os.Errno;
import org.berth.process.supervisor.os.OsException;
import org.berth.process.supervisor.os.PidFd;
import org.berth.process.supervisor.os.PosixSpawn;

/** Starts short commands of this host. Used by the spawner's thread only. */
public final class CommandLauncher {
    private CommandLauncher() {}

    /**
     * Starts the command with three pipes and exactly its environment.
     *
     * @throws BerthException INVALID when it cannot be run, UNAVAILABLE when the host has no room for it now
     */
    public static Child start(CommandOrder order) {
        List<String> arguments = new ArrayList<>(List.of(order.executable()));
        arguments.addAll(order.argv());
        List<String> environment = new ArrayList<>();
        order.environment().forEach((name, value) -> environment.add(name + "=" + value));
        try {
            for (String each : arguments) {
                Launcher.requireString("an argument", each);
            }
            for (String each : environment) {
                Launcher.requireString("a variable", each);
            }
            Launcher.requireDirectory(order.workingDirectory());
        } catch (RefusedException e) {
            throw BerthException.invalid(e.refusal().sentence());
        }
        try (Ends ends = Ends.open(null)) {
            long pid;
            try (PosixSpawn spawn = new PosixSpawn(false)) {
                ends.giveTo(spawn);
                spawn.directory(order.workingDirectory()).closeFrom(3);
                pid = spawn.start(order.executable(), arguments, environment);
            }
            if (pid < 0) {
                throw new OsException("posix_spawn", (int) -pid);
            }
            int pidFd = PidFd.open(pid);
            if (pidFd < 0) {
                PidFd.signalGroupNumber(pid, PidFd.SIGKILL);
                throw new OsException("pidfd_open", -pidFd);
            }
            return ends.child(Launcher.identityOf(pid, null), null, new int[] {pidFd, -1, -1}, Map.of());
        } catch (OsException e) {
            throw switch (e.errno()) {
                case Errno.EAGAIN, Errno.ENOMEM, Errno.EMFILE, Errno.ENFILE ->
                    BerthException.unavailable("the host has no room for another process or descriptor");
                default ->
                    BerthException.invalid(
                            order.executable() + " cannot be run: " + e.call() + ", error number " + e.errno());
            };
        }
    }
}
