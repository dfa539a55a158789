package org.berth.environment.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.berth.environment.ChannelOrder;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.GuestChannels;
import org.berth.environment.policy.EnvironmentPolicy;
import org.berth.files.PrivateFiles;
import org.berth.host.EnvironmentSettings.Engine;
import org.berth.placement.SpawnOutcome;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The steps that make an environment: record, files, channel, process. Each may be repeated: after a crash the same effect
 * goes on with the same record, and the supervisor answers the same process.
 */
final class LocalCreation {
    private static final Set<String> USERS = Set.of(GuestView.USER);

    private final LocalLayout layout;
    private final LocalRecords records;
    private final GuestChannels channels;
    private final Compute compute;
    private final Path image;
    private final Clock clock;

    LocalCreation(
            LocalLayout layout,
            LocalRecords records,
            GuestChannels channels,
            Compute compute,
            Path image,
            Clock clock) {
        this.layout = layout;
        this.records = records;
        this.channels = channels;
        this.compute = compute;
        this.image = image;
        this.clock = clock;
    }

    /** What a creation is made from, everything verified. */
    record Parts(
            EnvironmentPlacement placement,
            EnvironmentPolicy policy,
            Engine engine,
            Path program,
            List<String> data,
            Map<String, String> provider) {}

    /** The record of a new environment, written before anything else of it exists. */
    LocalRecord begin(String effectId, Parts parts) {
        EnvironmentPlacement placement = parts.placement();
        LocalRecord begun = new LocalRecord(
                UUID.randomUUID().toString(),
                placement.name(),
                placement.workspace(),
                effectId,
                UUID.randomUUID().toString(),
                UUID.randomUUID().toString().replace("-", ""),
                placement.image(),
                placement.provider(),
                placement.policySha256(),
                parts.engine(),
                clock.instant(),
                null,
                unenforced(parts.policy()));
        records.write(begun);
        return begun;
    }

    private static List<String> unenforced(EnvironmentPolicy policy) {
        List<String> sentences = new ArrayList<>(policy.beyondHostAndPort(USERS));
        sentences.add("Processor time and memory are not bounded.");
        return sentences;
    }

    /** Files, channel and process of {@code begun}. @return it with its process recorded */
    LocalRecord finish(LocalRecord begun, Parts parts) {
        GuestView view;
        try {
            directories(begun.key());
            CompletionStage<Void> opened = channels.open(new ChannelOrder(
                    begun.key(),
                    layout.channel(begun.key()).toString(),
                    parts.policy().relays(),
                    parts.policy().proxied(),
                    layout.refusals(begun.key()).toString()));
            view = files(begun, parts);
            Answers.of(opened);
        } catch (IOException e) {
            throw storage(e);
        }
        SpawnOutcome outcome = compute.spawn(new Launch(begun, layout, view, parts.policy(), parts.provider()).order());
        return switch (outcome) {
            case SpawnOutcome.Spawned spawned -> {
                LocalRecord started = begun.withProcess(spawned.identity());
                records.write(started);
                yield started;
            }
            case SpawnOutcome.Refused refused ->
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_DRIVER_UNAVAILABLE,
                        "The environment's process was refused: " + refused.sentence() + ".");
            case SpawnOutcome.Undecided undecided ->
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_CREATE_UNCONFIRMED,
                        "Whether the environment's process exists is not known: " + undecided.sentence() + ".");
        };
    }

    private void directories(String key) throws IOException {
        PrivateFiles.directory(layout.environment(key));
        PrivateFiles.directory(layout.tree(key));
        PrivateFiles.directory(layout.channel(key));
    }

    private GuestView files(LocalRecord begun, Parts parts) throws IOException {
        String key = begun.key();
        GuestView view = new GuestView(
                begun.name(),
                layout.tree(key),
                layout.channel(key),
                image,
                parts.program(),
                GuestEtc.write(layout.etc(key), begun.name()),
                GuestView.SystemDirectories.ofHost(),
                parts.policy().filesystem() == null
                        || parts.policy().filesystem().writes("/tmp"),
                parts.data());
        if (begun.engine() == Engine.UNSHARE) {
            PrivateFiles.directory(layout.root(key));
            Path script = layout.script(key);
            if (Files.notExists(script, LinkOption.NOFOLLOW_LINKS)) {
                PrivateFiles.write(script, UnshareScript.of(view, layout.root(key)));
                Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("r-x------"));
            }
        }
        return view;
    }

    static BerthException storage(IOException cause) {
        return new BerthException(ProblemCode.STORAGE, "the files of an environment cannot be made or removed", cause);
    }
}
