package org.berth.process.supervisor.spawn;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.berth.placement.Capability;
import org.berth.placement.ExecutableKind;
import org.berth.placement.ExecutableMeasurement;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.SpawnOutcome.Reason;
import org.berth.problem.BerthException;
import org.berth.process.supervisor.FaultPoint;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Errno;
import org.berth.process.supervisor.os.OsException;
import org.berth.process.supervisor.os.PidFd;
import org.berth.process.supervisor.os.PosixSpawn;
import org.berth.process.supervisor.os.ProcStat;
import org.berth.process.supervisor.os.ProcTable;

/** Turns orders into children, in two steps with the journal between them. Used by the spawner's thread only. */
public final class Launcher {
    /** The name of the variable that marks a child's environment. */
    public static final String MARKER = "BERTH_ATTEMPT_KEY";

    /** Bytes of one argument or NAME=value, its ending zero not counted. Source: linux/binfmts.h, MAX_ARG_STRLEN. */
    static final int MAX_STRING_BYTES = 131_071;

    /** Bytes of all arguments together. Source: placement.md, launch.argv. */
    static final int MAX_ARGUMENTS_BYTES = 1024 * 1024;

    private final Executables executables = new Executables();
    private final Containment containment = new Containment();

    /** What {@link #prepare} came to. */
    public sealed interface Preparation {
        /** Nothing was refused; {@link #start} or {@link #drop} takes it. */
        record Ready(Plan plan) implements Preparation {}

        record Refusal(SpawnOutcome.Refused refused) implements Preparation {}
    }

    /** A start that was checked and measured, with its files open. */
    public record Plan(SpawnOrder order, ExecutablePlan executable) {}

    /** Keeps the opened files out of others' sight. */
    public static final class ExecutablePlan {
        private final Executable executable;

        private ExecutablePlan(Executable executable) {
            this.executable = executable;
        }
    }

    /** What {@link #start} came to. */
    public sealed interface Start {
        record Started(Child child) implements Start {}

        record Refusal(SpawnOutcome.Refused refused) implements Start {}
    }

    /** Checks and measures; nothing exists yet. */
    public Preparation prepare(SpawnOrder order) {
        try {
            requireSizes(order);
            requireDirectory(order.workingDirectory());
            containment.requirePossible(order);
            Executable executable = executables.open(order.executable());
            try {
                executables.requireRunnable(executable.file());
                if (executable.interpreter() != null && executable.interpreter().kind() != ExecutableKind.SCRIPT) {
                    executables.requireRunnable(executable.interpreter());
                }
                requireExpected(order, executable.measured());
            } catch (RefusedException e) {
                executable.close();
                throw e;
            }
            return new Preparation.Ready(new Plan(order, new ExecutablePlan(executable)));
        } catch (RefusedException e) {
            return new Preparation.Refusal(e.refusal());
        }
    }

    private static void requireSizes(SpawnOrder order) throws RefusedException {
        long total = 0;
        for (int i = 0; i < order.argv().size(); i++) {
            int bytes = requireString("argument " + (i + 1), order.argv().get(i));
            total += bytes + 1L;
        }
        if (total > MAX_ARGUMENTS_BYTES) {
            throw new RefusedException(
                    Reason.ARGUMENTS_TOO_LARGE,
                    "the arguments have " + total + " bytes together; " + MAX_ARGUMENTS_BYTES + " are allowed");
        }
        for (Map.Entry<String, String> item : order.environment().entrySet()) {
            requireString("the variable " + item.getKey(), item.getKey() + "=" + item.getValue());
        }
    }

    static int requireString(String name, String value) throws RefusedException {
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_STRING_BYTES) {
            throw new RefusedException(
                    Reason.ARGUMENTS_TOO_LARGE,
                    name + " has " + bytes + " bytes; " + MAX_STRING_BYTES + " are allowed");
        }
        if (value.indexOf('\0') >= 0) {
            throw new RefusedException(Reason.SYSTEM, name + " holds a NUL");
        }
        return bytes;
    }

    static void requireDirectory(String directory) throws RefusedException {
        Path path = Path.of(directory);
        if (!Files.isDirectory(path)) {
            throw new RefusedException(
                    Reason.WORKING_DIRECTORY,
                    "the working directory " + directory + (Files.exists(path) ? " is not a directory" : " is gone"));
        }
        if (!Files.isExecutable(path)) {
            throw new RefusedException(
                    Reason.WORKING_DIRECTORY, "the working directory " + directory + " may not be entered");
        }
    }

    private static void requireExpected(SpawnOrder order, ExecutableMeasurement measured) throws RefusedException {
        SpawnOrder.Expected expected = order.expected();
        if (expected != null
                && !(expected.kind() == measured.kind() && expected.digest().equals(measured.digest()))) {
            throw new RefusedException(
                    Reason.EXECUTABLE_CHANGED, order.executable() + " is not what the request measured");
        }
    }

    /** Closes what {@link #prepare} opened. */
    public void drop(Plan plan) {
        plan.executable().executable.close();
    }

    /** Starts the child. */
    public Start start(Plan plan) {
        try (Executable executable = plan.executable().executable) {
            return new Start.Started(start(plan.order(), executable));
        } catch (RefusedException e) {
            return new Start.Refusal(e.refusal());
        } catch (OsException e) {
            return new Start.Refusal(refusalOf(plan.order(), e));
        }
    }

    private static SpawnOutcome.Refused refusalOf(SpawnOrder order, OsException e) {
        return switch (e.errno()) {
            case Errno.E2BIG ->
                new SpawnOutcome.Refused(
                        Reason.ARGUMENTS_TOO_LARGE, "arguments and environment are more than the kernel takes");
            case Errno.ENOEXEC, Errno.ELIBBAD ->
                new SpawnOutcome.Refused(
                        Reason.EXECUTABLE_FORMAT, order.executable() + " is not a program for this machine");
            case Errno.ENOENT ->
                new SpawnOutcome.Refused(
                        Reason.INTERPRETER_NOT_FOUND,
                        "the interpreter or loader that " + order.executable() + " names does not exist");
            case Errno.EACCES, Errno.EPERM, Errno.ETXTBSY ->
                new SpawnOutcome.Refused(Reason.EXECUTABLE_NOT_PERMITTED, order.executable() + " may not be executed");
            case Errno.EAGAIN, Errno.ENOMEM, Errno.EMFILE, Errno.ENFILE ->
                new SpawnOutcome.Refused(
                        Reason.RESOURCE_LIMIT, "the host has no room for another process or descriptor");
            case Errno.ENOSPC -> new SpawnOutcome.Refused(Reason.NO_SPACE, "the host has no more terminals");
            default ->
                new SpawnOutcome.Refused(
                        Reason.SYSTEM, "the start failed: " + e.call() + ", error number " + e.errno());
        };
    }

    private Child start(SpawnOrder order, Executable executable) throws RefusedException {
        Map<String, String> notes = new HashMap<>();
        try (Ends ends = Ends.open(order.terminal())) {
            Running running = order.scope() == Capability.CONTAINED_TREE
                    ? contained(order, executable, ends, notes)
                    : direct(order, executable, ends, notes);
            FaultPoint.AFTER_SPAWN_BEFORE_SPAWNED_JOURNALLED.pass();
            return ends.child(running.identity(), executable.measured(), running.pidFds(), notes);
        }
    }

    private record Running(ProcessIdentity identity, int[] pidFds) {}

    private Running direct(SpawnOrder order, Executable executable, Ends ends, Map<String, String> notes)
            throws RefusedException {
        List<String> environment = environment(order);
        boolean script = executable.interpreter() != null;
        OpenedFile program = script ? executable.interpreter() : executable.file();
        long pid = -Errno.EACCES;
        boolean through = program.fd() >= 0 && program.kind() == ExecutableKind.ELF;
        if (through) {
            pid = spawn(order, ends, program.descriptorPath(), arguments(order, executable), environment);
        }
        if (!through || pid == -Errno.EACCES || pid == -Errno.ENOENT) {
            notes.put("executed", "by path");
            List<String> plain = new ArrayList<>(List.of(order.executable()));
            plain.addAll(order.argv());
            pid = spawn(order, ends, order.executable(), plain, environment);
        }
        if (pid < 0) {
            throw new OsException("posix_spawn", (int) -pid);
        }
        int pidFd = PidFd.open(pid);
        if (pidFd < 0) {
            throw new OsException("pidfd_open", -pidFd);
        }
        if (!through || script) {
            requireUnchanged(executable, pidFd);
        }
        return new Running(identityOf(pid, null), new int[] {pidFd, -1, -1});
    }

    private static List<String> arguments(SpawnOrder order, Executable executable) {
        List<String> arguments = new ArrayList<>();
        if (executable.interpreter() == null) {
            arguments.add(order.executable());
        } else {
            arguments.add(executable.interpreter().path().toString());
            if (executable.interpreterArgument() != null) {
                arguments.add(executable.interpreterArgument());
            }
            arguments.add(executable.file().physical().toString());
        }
        arguments.addAll(order.argv());
        return arguments;
    }

    private static long spawn(
            SpawnOrder order, Ends ends, String path, List<String> arguments, List<String> environment) {
        try (PosixSpawn spawn = new PosixSpawn(order.terminal() != null)) {
            ends.giveTo(spawn);
            return spawn.directory(order.workingDirectory()).closeFrom(3).start(path, arguments, environment);
        }
    }

    /** A file that was executed by its path must still be the one that was measured. */
    private static void requireUnchanged(Executable executable, int pidFd) throws RefusedException {
        try {
            OpenedFile file = executable.file();
            if (FileIdentity.of(file.path()).equals(file.identity())) {
                return;
            }
        } catch (IOException e) {
            // A file that is gone is a changed one.
        }
        PidFd.signal(pidFd, PidFd.SIGKILL);
        reap(pidFd);
        Descriptors.close(pidFd);
        throw new RefusedException(
                Reason.EXECUTABLE_CHANGED, executable.file().path() + " changed while it was started; it was killed");
    }

    static void reap(int pidFd) {
        while (PidFd.childExit(pidFd, true) == null) {
            Thread.onSpinWait();
        }
    }

    private static List<String> environment(SpawnOrder order) {
        List<String> items = new ArrayList<>();
        order.environment().forEach((name, value) -> items.add(name + "=" + value));
        items.add(MARKER + "=" + order.attemptKey());
        return items;
    }

    private Running contained(SpawnOrder order, Executable executable, Ends ends, Map<String, String> notes)
            throws RefusedException {
        notes.put("executed", "by path");
        Box box = containment.start(order, environment(order), ends);
        try {
            requireUnchanged(executable, box.outerPidFd());
        } catch (RefusedException e) {
            PidFd.signal(box.initPidFd(), PidFd.SIGKILL);
            throw e;
        }
        box.release();
        return new Running(
                identityOf(box.outerPid(), box.tree()),
                new int[] {box.outerPidFd(), box.innerPidFd(), box.initPidFd()});
    }

    /** The child is unreaped, so that its number cannot be another's yet. */
    static ProcessIdentity identityOf(long pid, ProcessIdentity.Tree tree) {
        ProcStat stat = ProcStat.of(pid);
        if (stat == null) {
            throw new OsException("/proc/PID/stat", Errno.ESRCH);
        }
        return new ProcessIdentity(pid, stat.group(), stat.startTicks(), ProcTable.bootId(), tree);
    }

    /**
     * Measures one file.
     *
     * @throws BerthException NOT_FOUND or INVALID
     */
    public ExecutableMeasurement measure(String path) {
        if (!path.startsWith("/") || path.indexOf('\0') >= 0) {
            throw BerthException.invalid("an executable to measure is named by an absolute path");
        }
        try (Executable executable = executables.open(path)) {
            if (executable.measured().digest() == null) {
                throw BerthException.invalid(path + " may not be read by this user");
            }
            return executable.measured();
        } catch (RefusedException e) {
            throw e.refusal().reason() == Reason.EXECUTABLE_NOT_FOUND
                    ? BerthException.notFound(e.refusal().sentence())
                    : BerthException.invalid(e.refusal().sentence());
        }
    }

    /** Containment as this launcher uses it. */
    public Containment containment() {
        return containment;
    }
}
