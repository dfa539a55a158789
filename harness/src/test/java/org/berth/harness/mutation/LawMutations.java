package org.berth.harness.mutation;

import java.util.List;

/**
 * The table of mutations: every law of the module has at least one, and its property fails under each. A new law is a new
 * line here.
 */
final class LawMutations {
    private static final String HARNESS = "harness";
    private static final String FRAME = "org.berth.harness.frame.FrameLawsTest";
    private static final String OUTPUT = "org.berth.harness.output.OutputLawsTest";
    private static final String JOB = "org.berth.harness.job.JobLawsTest";
    private static final String CALL = "org.berth.harness.call.CallLawsTest";
    private static final String WORKSPACE = "org.berth.harness.workspace.HandBackLawsTest";
    private static final String ACCESS = "org.berth.harness.access.WorkingDirectoryLawsTest";

    private static final String FILES = "org.berth.harness.access.PrivateFilesLawsTest";
    private static final String ADAPTER = "org.berth.process.adapter.SocketDirectoryLawsTest";
    private static final String SUPERVISOR = "org.berth.process.supervisor.PrivateDirectoryLawsTest";
    private static final String SETUP = "org.berth.harness.setup.SetupLawsTest";
    private static final String LOCK = "org.berth.harness.setup.LockLawsTest";

    static final List<LawMutation> ALL = List.of(
            frame(
                    "proto_one_reply_each",
                    "PendingReply",
                    "if (!taken.compareAndSet(false, true)) {",
                    "if (taken.getAndSet(true) && false) {"),
            frame("proto_one_reply_each", "Gate", "replies.write(HostReply.duplicate(id));", ""),
            frame(
                    "proto_one_reply_each",
                    "Gate",
                    "replies.write(HostReply.error(id, error));",
                    "replies.write(HostReply.error(id, error)); replies.write(HostReply.error(id, error));"),
            frame("proto_one_reply_each", "HostRequests", "accepted.reply().ok(result);", ""),
            frame("proto_runs_only_accepted", "Gate", "!served.test(type.get())", "false"),
            frame(
                    "proto_runs_only_accepted",
                    "UsedIds",
                    "firstHalves[i] == first && secondHalves[i] == second",
                    "false"),
            frame(
                    "proto_runs_only_accepted",
                    "FrameSplitter",
                    "(to - from) > limits.lineBytes()",
                    "(to - from) > limits.lineBytes() + 50"),
            frame(
                    "proto_runs_every_accepted",
                    "FrameSplitter",
                    "(to - from) > limits.lineBytes()",
                    "(to - from) >= limits.lineBytes()"),
            frame("proto_runs_every_accepted", "HostRequests", "executor.execute(() -> run(accepted));", ""),
            frame("proto_runs_every_accepted", "FrameScanner", "valueCharacters : 0", "4 : 0"),
            frame(
                    "proto_rejects_oversize",
                    "FrameSplitter",
                    "(to - from) > limits.lineBytes()",
                    "(to - from) > limits.lineBytes() + 50"),
            frame("proto_rejects_oversize", "Gate", "if (used.use(id)) {", "if (false) {"),
            output("job_output_bounded", "HeadRetention", "ended == limits.lines()", "ended == limits.lines() + 1"),
            output("job_output_bounded", "TailRetention", "lines() > limits.lines()", "lines() > limits.lines() + 1"),
            output("job_no_silent_loss", "OutputBuffer", "droppedBytes += retention.append(", "retention.append("),
            output(
                    "job_no_silent_loss",
                    "TailRetention",
                    "return (long) before + (to - from) - byteCount;",
                    "return (to - from) - useful;"),
            output(
                    "job_optout_keeps_all",
                    "Retention",
                    "new FullRetention()",
                    "new HeadRetention(new OutputLimits(64, 9, OutputLimits.Keep.HEAD))"),
            output(
                    "job_optout_keeps_all",
                    "FullRetention",
                    "byteCount += to - from;",
                    "byteCount = Math.min(100, byteCount + to - from);"),
            output(
                    "job_cap_drops_only_excess",
                    "TailRetention",
                    "Math.min(to - from, limits.bytes())",
                    "Math.min(to - from, limits.bytes() / 2)"),
            output(
                    "job_cap_drops_only_excess",
                    "HeadRetention",
                    "full |= fits < to - from;",
                    "full |= fits <= to - from;"),
            job("job_ends_once", "Ending", "if (end != null) {", "if (false) {"),
            job("job_ends_once", "Ending", "told.forEach(listener -> listener.accept(with));", ""),
            job("job_end_is_final", "Job", "output.end();", ""),
            job("job_end_is_final", "Ending", "if (end != null) {", "if (false) {"),
            job("job_kill_ends_now", "Job", "return end(new JobEnd.Killed());", "return end(new JobEnd.Exited(137));"),
            job("job_kill_ends_now", "Job", "return end(new JobEnd.Killed());", "return true;"),
            job("call_blocks_at_most_budget", "BlockingWait", "timer.schedule(left,", "timer.schedule(left + 1,"),
            job(
                    "call_blocks_at_most_budget",
                    "BlockingWait",
                    "timer.nanos() - deadlineNanos < 0",
                    "timer.nanos() - deadlineNanos <= 0"),
            job(
                    "call_settles_with_job",
                    "BlockingWait",
                    "timer.nanos() - deadlineNanos < 0",
                    "timer.nanos() - deadlineNanos < -1"),
            job("call_settles_with_job", "BlockingWait", "timer.nanos() - deadlineNanos < 0", "true"),
            job(
                    "rewind_stops_orphans",
                    "JobTable",
                    "each.startedAfterEntry() >= entry",
                    "each.startedAfterEntry() > entry"),
            job("rewind_stops_orphans", "SessionJobs", "orphans.forEach(SessionJobs::kill);", ""),
            job(
                    "rewind_keeps_target_jobs",
                    "JobTable",
                    "each.startedAfterEntry() >= entry",
                    "each.startedAfterEntry() >= entry - 1"),
            job(
                    "rewind_keeps_target_jobs",
                    "JobTable",
                    "lastEntry = Math.max(lastEntry, entry);",
                    "lastEntry = entry + 1;"),
            call(
                    "stream_journals_two",
                    "ToolCall",
                    "board.report(entry, new CallChange.Warned(warning));",
                    "journal.settle(new CallSettle(new CallOutcome.Returned(), board.close(entry)));"),
            call("stream_journals_two", "ToolCall", "settled = true;", ""),
            call("stream_settles_once", "ToolCall", "settled = true;", ""),
            call("stream_settles_once", "ToolCall", "if (settled) {", "if (true) {"),
            call("stream_settle_carries_all", "ProgressBoard", "output.append(wrote.bytes());", "{}"),
            call("stream_settle_carries_all", "ProgressBoard", "warnings.add(warned.warning());", "{}"),
            call("stream_settle_carries_all", "ProgressBoard", "usage.plus(used.usage())", "used.usage()"),
            call("stream_settle_carries_all", "ProgressBoard", "if (!entry.closed) {", "if (true) {"),
            workspace("cow_keeps_parent", "workspace/PathMerge", "if (sides.childIsBase()) {", "if (false) {"),
            workspace("cow_keeps_parent", "workspace/HandBackRun", "return path.unchanged();", "return false;"),
            workspace("cow_keeps_parent", "workspace/PathMerge", "return KEEP;", "return TAKE;"),
            workspace("cow_takes_child", "workspace/PathMerge", "return TAKE;", "return CONFLICT;"),
            workspace("cow_takes_child", "workspace/ParentTree", "into.rename(names.temporary(path), name(path));", ""),
            workspace("cow_takes_child", "workspace/ParentTree", "place.directory().remove(place.name());", ""),
            workspace(
                    "cow_takes_child", "workspace/Print", "changedNanos < settledNanos && equals(of(status))", "true"),
            workspace("cow_conflict_reported", "workspace/PathMerge", "if (sides.parentIsBase()) {", "if (true) {"),
            workspace(
                    "cow_conflict_reported", "workspace/PathMerge", "sides.parentIsChild() ? SAME : CONFLICT", "SAME"),
            workspace("cow_conflict_reported", "workspace/HandBackRun", "conflicts.place(path);", ""),
            workspace(
                    "cow_conflict_is_real",
                    "workspace/PathMerge",
                    "sides.parentIsChild() ? SAME : CONFLICT",
                    "CONFLICT"),
            workspace(
                    "cow_conflict_is_real",
                    "tree/OpenFile",
                    "MemorySegment.mismatch(buffer, 0, read, second, 0, read) >= 0",
                    "true"),
            access("cwd_is_explicit", ".or(() -> recorded)", ".or(() -> Optional.of(\"/\"))"),
            access("cwd_is_explicit", "named.filter(", "recorded.filter("),
            access(
                    "cwd_none_refused",
                    ".orElseThrow(() -> BerthException.invalid(\"a session needs a working directory\"));",
                    ".orElse(\"/\");"),
            access("cwd_gone_refused", "if (!Files.exists(path)) {", "if (false) {"),
            access("cwd_file_refused", "if (!Files.isDirectory(path)) {", "if (false) {"),
            access("cwd_dir_opens", "if (path.isAbsolute()) {", "if (false) {"),
            access("cwd_dir_opens", "if (!Files.exists(path)) {", "if (!Files.isRegularFile(path)) {"),
            adapter("socket_dir_owned", "if (!attributes.isDirectory()) {", "if (false) {"),
            adapter("socket_dir_owned", "if (owner != uid) {", "if (false) {"),
            adapter(
                    "socket_dir_owned",
                    "if (permissions.contains(PosixFilePermission.GROUP_WRITE)",
                    "if (permissions.contains(PosixFilePermission.GROUP_EXECUTE)"),
            adapter(
                    "socket_dir_owned",
                    "permissions.contains(PosixFilePermission.OTHERS_WRITE)",
                    "permissions.contains(PosixFilePermission.OTHERS_EXECUTE)"),
            adapter(
                    "socket_dir_progress",
                    "permissions.contains(PosixFilePermission.OTHERS_WRITE)",
                    "permissions.contains(PosixFilePermission.OTHERS_READ)"),
            adapter("socket_dir_progress", "if (owner != uid) {", "if (owner == uid) {"),
            adapter("socket_dir_created", "\"rwx------\"", "\"rwxr-x---\""),
            adapter("socket_dir_created", "create(parent);", ""),
            adapter("socket_dir_created_used", "create(directory);", ""),
            adapter("socket_dir_created_used", "\"rwx------\"", "\"rwxrwx---\""),
            adapter("peer_same_uid", "if (!peer.equals(own)) {", "if (false) {"),
            adapter("peer_own_accepted", "if (!peer.equals(own)) {", "if (true) {"),
            supervisor(
                    "socket_dir_owned",
                    "PrivateDirectory",
                    "if (!(boolean) found.get(\"isDirectory\")) {",
                    "if (false) {"),
            supervisor("socket_dir_owned", "PrivateDirectory", "if (owner != uid) {", "if (false) {"),
            supervisor(
                    "socket_dir_owned", "PrivateDirectory", "GROUP_OR_OTHER_WRITE = 022", "GROUP_OR_OTHER_WRITE = 020"),
            supervisor(
                    "socket_dir_progress",
                    "PrivateDirectory",
                    "GROUP_OR_OTHER_WRITE = 022",
                    "GROUP_OR_OTHER_WRITE = 077"),
            supervisor("socket_dir_created", "PrivateDirectory", "\"rwx------\"", "\"rwxr-xr-x\""),
            supervisor("socket_dir_created", "PrivateDirectory", "requireTree(parent, uid);", ""),
            supervisor(
                    "socket_dir_created_used",
                    "PrivateDirectory",
                    "check(directory, uid);",
                    "check(directory.getParent().resolve(\"other\"), uid);"),
            supervisor("socket_dir_created_used", "PrivateDirectory", "\"rwx------\"", "\"rwxrwx---\""),
            supervisor("peer_same_uid", "os/UnixSocket", "return uid == user;", "return true;"),
            supervisor("peer_same_uid", "os/UnixSocket", "return uid == user;", "return uid <= user;"),
            supervisor("peer_own_accepted", "os/UnixSocket", "return uid == user;", "return uid < user;"),
            supervisor(
                    "peer_own_accepted",
                    "os/UnixSocket",
                    "Integer.toUnsignedLong(credentials.get(ValueLayout.JAVA_INT, 4))",
                    "Integer.toUnsignedLong(credentials.get(ValueLayout.JAVA_INT, 0))"),
            files(
                    "PosixFilePermissions.asFileAttribute(FILE))) {",
                    "new java.nio.file.attribute.FileAttribute<?>[0])) {"),
            files("PosixFilePermissions.asFileAttribute(DIRECTORY)", "new java.nio.file.attribute.FileAttribute<?>[0]"),
            files("Files.setPosixFilePermissions(directory, DIRECTORY);", ""),
            setup("kernel_session_never_downloads", "UvCommand", "if (offline) {", "if (false) {"),
            setup(
                    "kernel_session_never_downloads",
                    "SetupStep",
                    "new Build(UvCommand.of(by))",
                    "new Build(UvCommand.of(SetupBy.INSTALL))"),
            setup(
                    "kernel_download_only_on_install",
                    "SetupStep",
                    "new Build(UvCommand.of(by))",
                    "new Build(UvCommand.of(SetupBy.INSTALL))"),
            setup(
                    "kernel_download_only_on_install",
                    "KernelEnvironment",
                    "setUp(SetupBy.SESSION, line -> {})",
                    "setUp(SetupBy.INSTALL, line -> {})"),
            setup("kernel_fetch_verified_before_use", "UvCommand", "\"--require-hashes\",", ""),
            setup("kernel_fetch_verified_before_use", "VenvBuild", "if (failure.isPresent()) {", "if (false) {"),
            setup(
                    "kernel_setup_runs",
                    "SetupStep",
                    "case OTHER_BUILD -> build(by);",
                    "case OTHER_BUILD -> new Missing();"),
            setup("kernel_setup_runs", "VenvBuild", "files.vouch(digest);", ""),
            setup(
                    "kernel_install_fetches",
                    "UvCommand",
                    "new UvCommand(Action.PACKAGES, false),",
                    "offline(Action.PACKAGES),"),
            setup(
                    "kernel_install_fetches",
                    "KernelFiles",
                    "return checked ? VenvFound.CHECKED : VenvFound.OTHER_BUILD;",
                    "return VenvFound.OTHER_BUILD;"),
            setup(
                    "kernel_missing_spares_tools",
                    "VenvBuild",
                    "return Optional.of(which + e.getMessage());",
                    "throw e;"),
            setup(
                    "kernel_missing_spares_tools",
                    "VenvBuild",
                    "return Optional.of(\"there is no uv on PATH\");",
                    "throw new IOException(\"there is no uv on PATH\");"),
            setup(
                    "kernel_missing_names_install",
                    "KernelEnvironment",
                    "new KernelPython.Missing(KernelPython.NOT_INSTALLED, reason)",
                    "new KernelPython.Missing(reason, reason)"),
            lock("kernel_lock_attempt_leaves_none", "BootstrapLock", "Files.deleteIfExists(candidate);", ""),
            lock("kernel_lock_attempt_leaves_none", "BootstrapLock", "Files.deleteIfExists(stale);", ""),
            lock("kernel_lock_sweep_removes_dead", "BootstrapLock", "leftovers.sweep();", ""),
            lock(
                    "kernel_lock_sweep_removes_dead",
                    "LockOwner",
                    "Long.parseLong(fields[START_TICKS]) == startTicks",
                    "true"),
            lock("kernel_lock_sweep_removes_dead", "LockOwner", "bootId.equals(currentBootId())", "true"),
            lock(
                    "kernel_lock_sweep_keeps_live",
                    "LockLeftovers",
                    "!alive(file, Long.parseLong(leftover.group(1)))",
                    "true"),
            lock("kernel_lock_sweep_keeps_live", "LockLeftovers", "LockOwner.exists(pid)", "false"),
            lock("kernel_lock_sweep_keeps_live", "BootstrapLock", "owner.isPresent() && owner.get().alive()", "false"));

    private LawMutations() {}

    private static LawMutation frame(String law, String production, String text, String replacement) {
        return new LawMutation(
                law, FRAME, HARNESS, "org/berth/harness/frame/" + production + ".java", text, replacement);
    }

    private static LawMutation output(String law, String production, String text, String replacement) {
        return new LawMutation(
                law, OUTPUT, HARNESS, "org/berth/harness/output/" + production + ".java", text, replacement);
    }

    private static LawMutation job(String law, String production, String text, String replacement) {
        return new LawMutation(law, JOB, HARNESS, "org/berth/harness/job/" + production + ".java", text, replacement);
    }

    private static LawMutation call(String law, String production, String text, String replacement) {
        return new LawMutation(law, CALL, HARNESS, "org/berth/harness/call/" + production + ".java", text, replacement);
    }

    private static LawMutation workspace(String law, String production, String text, String replacement) {
        return new LawMutation(law, WORKSPACE, HARNESS, "org/berth/harness/" + production + ".java", text, replacement);
    }

    private static LawMutation access(String law, String text, String replacement) {
        return new LawMutation(
                law, ACCESS, HARNESS, "org/berth/harness/access/WorkingDirectory.java", text, replacement);
    }

    private static LawMutation files(String text, String replacement) {
        return new LawMutation(
                "private_on_create", FILES, "domain", "org/berth/files/PrivateFiles.java", text, replacement);
    }

    private static LawMutation adapter(String law, String text, String replacement) {
        return new LawMutation(
                law, ADAPTER, "connector/adapter", "org/berth/process/adapter/SocketDirectory.java", text, replacement);
    }

    private static LawMutation supervisor(String law, String production, String text, String replacement) {
        return new LawMutation(
                law,
                SUPERVISOR,
                "connector/supervisor",
                "org/berth/process/supervisor/" + production + ".java",
                text,
                replacement);
    }

    private static LawMutation setup(String law, String production, String text, String replacement) {
        return new LawMutation(
                law, SETUP, HARNESS, "org/berth/harness/setup/" + production + ".java", text, replacement);
    }

    private static LawMutation lock(String law, String production, String text, String replacement) {
        return new LawMutation(
                law, LOCK, HARNESS, "org/berth/harness/setup/" + production + ".java", text, replacement);
    }
}
