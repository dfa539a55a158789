package org.berth.process.supervisor.spawn;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.placement.ExecutableKind;
import org.berth.placement.ExecutableMeasurement;
import org.berth.placement.SpawnOutcome.Reason;
import org.berth.process.supervisor.os.Descriptors;
import org.berth.process.supervisor.os.Errno;

/** Opens and measures executables. Remembers digests by what the inode tells. Used by one thread. */
final class Executables {
    /** The kernel reads this many bytes to decide how a file runs. Source: linux/binfmts.h, BINPRM_BUF_SIZE. */
    private static final int HEAD = 256;

    private static final int REMEMBERED = 512;
    private static final int READ = 256 * 1024;

    private final Map<FileIdentity, String> digests = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<FileIdentity, String> eldest) {
            return size() > REMEMBERED;
        }
    };
    private final MemorySegment buffer = Arena.ofAuto().allocate(READ);
    private final byte[] heap = new byte[READ];
    private final int ownMachine = machine(headOfSelf());

    /** Opens {@code path} and, for a script, its interpreter; the caller closes. */
    Executable open(String path) throws RefusedException {
        OpenedFile file = openFile(path, false);
        try {
            if (file.kind() != ExecutableKind.SCRIPT) {
                return new Executable(
                        file,
                        null,
                        null,
                        new ExecutableMeasurement(
                                file.kind(), file.digest(), file.identity().size(), null, null));
            }
            String[] line = interpreterLine(file);
            OpenedFile interpreter = openFile(line[0], true);
            return new Executable(
                    file,
                    interpreter,
                    line[1],
                    new ExecutableMeasurement(
                            file.kind(), file.digest(), file.identity().size(), line[0], interpreter.digest()));
        } catch (RefusedException e) {
            file.close();
            throw e;
        }
    }

    private OpenedFile openFile(String name, boolean interpreter) throws RefusedException {
        Reason missing = interpreter ? Reason.INTERPRETER_NOT_FOUND : Reason.EXECUTABLE_NOT_FOUND;
        String what = interpreter ? "the interpreter " + name : name;
        Path path = Path.of(name);
        FileIdentity seen;
        Path physical;
        try {
            seen = FileIdentity.of(path);
            physical = path.toRealPath();
        } catch (NoSuchFileException e) {
            throw new RefusedException(missing, what + " does not exist");
        } catch (IOException e) {
            throw new RefusedException(
                    interpreter ? missing : Reason.EXECUTABLE_NOT_PERMITTED, what + " cannot be reached");
        }
        if (seen.directory()) {
            throw new RefusedException(
                    interpreter ? missing : Reason.EXECUTABLE_IS_DIRECTORY, what + " is a directory");
        }
        if (!seen.regular()) {
            throw new RefusedException(
                    interpreter ? missing : Reason.EXECUTABLE_FORMAT, what + " is not a regular file");
        }
        if (!seen.executable() || !Files.isExecutable(path)) {
            throw new RefusedException(Reason.EXECUTABLE_NOT_PERMITTED, what + " may not be executed by this user");
        }
        if (seen.size() == 0) {
            throw new RefusedException(interpreter ? missing : Reason.EXECUTABLE_EMPTY, what + " is empty");
        }
        int flags = Descriptors.O_RDONLY | Descriptors.O_CLOEXEC | Descriptors.O_NONBLOCK;
        int fd = Descriptors.open(name, flags, 0);
        if (fd == -Errno.EACCES || fd == -Errno.EPERM) {
            return new OpenedFile(-1, path, physical, seen, ExecutableKind.OTHER, null, new byte[0]);
        }
        if (fd < 0) {
            throw new RefusedException(missing, what + " cannot be opened");
        }
        return measured(fd, path, physical, what);
    }

    private OpenedFile measured(int fd, Path path, Path physical, String what) throws RefusedException {
        try {
            FileIdentity identity = FileIdentity.ofDescriptor(fd);
            byte[] head = new byte[HEAD];
            String known = digests.get(identity);
            String digest = digest(fd, head, known != null);
            if (known == null) {
                if (!identity.equals(FileIdentity.ofDescriptor(fd))) {
                    throw new RefusedException(Reason.EXECUTABLE_CHANGED, what + " changed while it was measured");
                }
                digests.put(identity, digest);
                known = digest;
            }
            return new OpenedFile(fd, path, physical, identity, kind(head), known, head);
        } catch (IOException e) {
            Descriptors.close(fd);
            throw new RefusedException(Reason.EXECUTABLE_NOT_FOUND, what + " could not be read");
        } catch (RefusedException e) {
            Descriptors.close(fd);
            throw e;
        }
    }

    /** Reads {@code head}, and all of the file unless {@code onlyHead}. */
    private String digest(int fd, byte[] head, boolean onlyHead) throws IOException {
        MessageDigest sha = sha256();
        boolean first = true;
        while (true) {
            long count = Descriptors.read(fd, buffer, onlyHead ? HEAD : READ);
            if (count < 0) {
                throw new IOException("read failed with error number " + -count);
            }
            if (first) {
                MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, head, 0, (int) Math.min(count, HEAD));
                first = false;
            }
            if (count == 0 || onlyHead) {
                return HexFormat.of().formatHex(sha.digest());
            }
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, heap, 0, (int) count);
            sha.update(heap, 0, (int) count);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static ExecutableKind kind(byte[] head) {
        if (head[0] == 0x7f && head[1] == 'E' && head[2] == 'L' && head[3] == 'F') {
            return ExecutableKind.ELF;
        }
        return head[0] == '#' && head[1] == '!' ? ExecutableKind.SCRIPT : ExecutableKind.OTHER;
    }

    /** What the kernel takes from the first line: the interpreter and the one argument after it, or null. */
    private static String[] interpreterLine(OpenedFile file) throws RefusedException {
        String text = new String(file.head(), StandardCharsets.UTF_8);
        int end = text.indexOf('\n');
        int zero = text.indexOf('\0');
        if (end < 0 || zero >= 0 && zero < end) {
            end = zero;
        }
        if (end < 0) {
            end = text.length();
        }
        String line = text.substring(2, end).strip();
        if (line.isEmpty()) {
            throw new RefusedException(Reason.EXECUTABLE_FORMAT, file.path() + " has an empty interpreter line");
        }
        String[] parts = line.split("[ \t]+", 2);
        return new String[] {parts[0], parts.length > 1 ? parts[1] : null};
    }

    /** Refuses what only another kind of processor runs, and what is neither a program nor a script. */
    void requireRunnable(OpenedFile file) throws RefusedException {
        boolean foreign = file.kind() == ExecutableKind.ELF && !runs(machine(file.head()));
        boolean unknown = file.kind() == ExecutableKind.OTHER && file.fd() >= 0;
        if (foreign) {
            throw new RefusedException(
                    Reason.EXECUTABLE_FORMAT, file.path() + " is a program for another kind of processor");
        }
        if (unknown) {
            throw new RefusedException(
                    Reason.EXECUTABLE_FORMAT, file.path() + " is neither a program nor a script with a #! line");
        }
    }

    private boolean runs(int machine) {
        int x86 = 3;
        int x86With64Bits = 62;
        int arm = 40;
        int armWith64Bits = 183;
        return machine == ownMachine
                || ownMachine == x86With64Bits && machine == x86
                || ownMachine == armWith64Bits && machine == arm;
    }

    /** Field e_machine of an ELF header, in its own byte order. */
    private static int machine(byte[] head) {
        int first = head[18] & 0xff;
        int second = head[19] & 0xff;
        return head[5] == 2 ? first << 8 | second : second << 8 | first;
    }

    private static byte[] headOfSelf() {
        try (var in = Files.newInputStream(Path.of("/proc/self/exe"))) {
            return Arrays.copyOf(in.readNBytes(HEAD), HEAD);
        } catch (IOException e) {
            throw new IllegalStateException("/proc/self/exe is not readable", e);
        }
    }
}
