package org.berth.cli.command;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.berth.cli.ExitCodes;
import org.berth.cli.FailureReport;
import org.berth.cli.Surroundings;
import picocli.CommandLine;

/** Every command by its name. Only the one that is typed is built, because reading annotations costs start time. */
public final class Commands {
    private static final Map<String, Function<Surroundings, CommandLine>> BY_NAME = new LinkedHashMap<>();

    static {
        add("up", UpCommand::new);
        add("down", DownCommand::new);
        add("status", StatusCommand::new);
        BY_NAME.put("run", from -> new CommandLine(new RunCommand(from)).setStopAtPositional(true));
        add("attempts", AttemptsCommand::new);
        add("show", ShowCommand::new);
        add("evidence", EvidenceCommand::new);
        add("logs", LogsCommand::new);
        add("stop", StopCommand::new);
        add("cleanup", CleanupCommand::new);
        add("reconcile", ReconcileCommand::new);
        add("attach", AttachCommand::new);
        add("capabilities", CapabilitiesCommand::new);
        add("measure", MeasureCommand::new);
        BY_NAME.put(
                "agent",
                from -> new CommandLine(new AgentGroup())
                        .addSubcommand(new CommandLine(new AgentRunCommand(from)).setStopAtPositional(true))
                        .addSubcommand(new AgentDriversCommand(from)));
        BY_NAME.put(
                "environment",
                from -> new CommandLine(new EnvironmentGroup())
                        .addSubcommand(new EnvironmentSetupCommand(from))
                        .addSubcommand(new EnvironmentCreateCommand(from))
                        .addSubcommand(new EnvironmentAttachCommand(from))
                        .addSubcommand(new EnvironmentLsCommand(from))
                        .addSubcommand(new EnvironmentInspectCommand(from))
                        .addSubcommand(new EnvironmentProjectCommand(from))
                        .addSubcommand(new EnvironmentLaunchCommand(from))
                        .addSubcommand(new EnvironmentConnectCommand(from))
                        .addSubcommand(new EnvironmentRecreateCommand(from))
                        .addSubcommand(new EnvironmentExportCommand(from))
                        .addSubcommand(new EnvironmentEffectCommand(from))
                        .addSubcommand(new EnvironmentCompletionCommand(from))
                        .addSubcommand(new CommandLine(new CheckpointCommand(from))
                                .addSubcommand(new CheckpointTakeCommand(from))
                                .addSubcommand(new CheckpointListCommand(from))
                                .addSubcommand(new CheckpointShowCommand(from))
                                .addSubcommand(new CheckpointDeleteCommand(from))));
        BY_NAME.put(
                "rig",
                from -> new CommandLine(new RigGroup())
                        .addSubcommand(new RigUpCommand(from))
                        .addSubcommand(new RigLsCommand(from))
                        .addSubcommand(new RigShowCommand(from))
                        .addSubcommand(new RigSnapshotCommand(from))
                        .addSubcommand(new RigSnapshotsCommand(from))
                        .addSubcommand(new RigRestoreCommand(from))
                        .addSubcommand(new RigStopCommand(from))
                        .addSubcommand(new RigRmCommand(from)));
        BY_NAME.put(
                "session",
                from -> new CommandLine(new SessionGroup())
                        .addSubcommand(new SessionOpenCommand(from))
                        .addSubcommand(new SessionListCommand(from))
                        .addSubcommand(new SessionShowCommand(from))
                        .addSubcommand(new SessionReopenCommand(from))
                        .addSubcommand(new SessionEndCommand(from))
                        .addSubcommand(new SessionBashCommand(from))
                        .addSubcommand(new SessionCellCommand(from))
                        .addSubcommand(new SessionJobsCommand(from))
                        .addSubcommand(new SessionWaitCommand(from))
                        .addSubcommand(new SessionCancelCommand(from))
                        .addSubcommand(new SessionEntriesCommand(from))
                        .addSubcommand(new SessionNavigateCommand(from))
                        .addSubcommand(new SessionForkCommand(from))
                        .addSubcommand(new SessionStateCommand(from))
                        .addSubcommand(new SessionPromptCommand(from))
                        .addSubcommand(new SessionEventsCommand(from)));
        BY_NAME.put(
                "workspace",
                from -> new CommandLine(new WorkspaceGroup())
                        .addSubcommand(new WorkspaceCreateCommand(from))
                        .addSubcommand(new WorkspaceShowCommand(from))
                        .addSubcommand(new WorkspaceHandBackCommand(from)));
        BY_NAME.put(
                "queue",
                from -> new CommandLine(new QueueGroup())
                        .addSubcommand(new QueueCreateCommand(from))
                        .addSubcommand(new QueueClaimCommand(from))
                        .addSubcommand(new QueueUnclaimCommand(from))
                        .addSubcommand(new QueueUpdateCommand(from))
                        .addSubcommand(new QueueHandoffCommand(from))
                        .addSubcommand(new QueueListCommand(from))
                        .addSubcommand(new QueueShowCommand(from)));
        BY_NAME.put(
                "grant",
                from -> new CommandLine(new GrantGroup())
                        .addSubcommand(new GrantIssueCommand(from))
                        .addSubcommand(new GrantRevokeCommand(from))
                        .addSubcommand(new GrantLsCommand(from)));
        BY_NAME.put(
                "token",
                from -> new CommandLine(new TokenGroup())
                        .addSubcommand(new TokenCreateCommand(from))
                        .addSubcommand(new TokenRevokeCommand(from))
                        .addSubcommand(new TokenLsCommand(from)));
        BY_NAME.put(
                "host",
                from -> new CommandLine(new HostGroup())
                        .addSubcommand(new HostReloadCommand(from))
                        .addSubcommand(new HostShowCommand(from)));
        BY_NAME.put(
                "batch",
                from -> new CommandLine(new BatchGroup())
                        .addSubcommand(new BatchLsCommand(from))
                        .addSubcommand(new BatchRestartCommand(from)));
        BY_NAME.put("kernel", from -> new CommandLine(new KernelGroup()).addSubcommand(new KernelInstallCommand(from)));
        add("whoami", WhoamiCommand::new);
        add("completion", CompletionCommand::new);
    }

    private Commands() {}

    /** What parses and runs {@code arguments}. */
    public static CommandLine line(Surroundings surroundings, String... arguments) {
        Function<Surroundings, CommandLine> only = arguments.length == 0 ? null : BY_NAME.get(arguments[0]);
        if (only == null) {
            return all(surroundings);
        }
        CommandLine root = new CommandLine(new RootCommand());
        root.addSubcommand(arguments[0], only.apply(surroundings));
        return configured(root, surroundings);
    }

    /** The root with every command below it. */
    public static CommandLine all(Surroundings surroundings) {
        CommandLine root = new CommandLine(new RootCommand());
        BY_NAME.forEach((name, command) -> root.addSubcommand(name, command.apply(surroundings)));
        return configured(root, surroundings);
    }

    private static CommandLine configured(CommandLine root, Surroundings surroundings) {
        return root.setExpandAtFiles(false)
                .setOut(new PrintWriter(surroundings.text(), false, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(surroundings.err(), true, StandardCharsets.UTF_8))
                .setColorScheme(CommandLine.Help.defaultColorScheme(
                        surroundings.colours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF))
                .setParameterExceptionHandler((refused, parsed) -> {
                    CommandLine line = refused.getCommandLine();
                    line.getErr().println("berth: " + refused.getMessage());
                    CommandLine.UnmatchedArgumentException.printSuggestions(refused, line.getErr());
                    line.getErr()
                            .println("  `" + line.getCommandSpec().qualifiedName() + " --help` shows how it is used.");
                    return ExitCodes.USAGE;
                })
                .setExecutionExceptionHandler((reason, line, parsed) -> {
                    boolean json = line.getCommand() instanceof BerthCommand command && command.json;
                    return new FailureReport(surroundings.err(), json).report(reason);
                });
    }

    private static void add(String name, Function<Surroundings, Object> command) {
        BY_NAME.put(name, from -> new CommandLine(command.apply(from)));
    }
}
