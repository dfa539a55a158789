package org.berth.environment.local;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.berth.environment.ChannelStatus;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentPlacement;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.EnvironmentRules;
import org.berth.placement.ProcessIdentity;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** What is there of an environment now: its record, its process, and who is on its line. */
final class LocalObserver {
    private final LocalDriver.Surroundings around;
    private final LocalRecords records;
    private final HostProc proc;

    LocalObserver(LocalDriver.Surroundings around, LocalRecords records, HostProc proc) {
        this.around = around;
        this.records = records;
        this.proc = proc;
    }

    /** The record with its process, where a crash came between the spawn and its record. */
    LocalRecord healed(LocalRecord read) {
        if (read.process() != null) {
            return read;
        }
        ProcessIdentity found = around.compute().find(read.key(), read.nonce());
        if (found == null || found.tree() == null) {
            return read;
        }
        LocalRecord whole = read.withProcess(found);
        records.write(whole);
        return whole;
    }

    /** The resource with the phase that is observed. */
    EnvironmentResource observed(LocalRecord each) {
        return observed(List.of(each)).getFirst();
    }

    /** As {@link #observed(LocalRecord)}, of all together: no question waits for another's answer. */
    List<EnvironmentResource> observed(List<LocalRecord> all) {
        List<Supplier<EnvironmentResource>> answers = new ArrayList<>();
        for (LocalRecord each : all) {
            if (each.init() != null && proc.alive(each.init())) {
                CompletionStage<ChannelStatus> status = around.channels().status(each.key());
                answers.add(() -> resource(each, true, isHelper(each, Answers.of(status))));
            } else {
                answers.add(() -> resource(each, false, false));
            }
        }
        return answers.stream().map(Supplier::get).toList();
    }

    private EnvironmentResource resource(LocalRecord each, boolean alive, boolean helper) {
        LocalPhase phase = LocalPhase.of(each, alive, helper, around.clock().instant());
        return new EnvironmentResource(
                each.id(), each.name(), each.workspace(), phase.wire(), each.fingerprint(), each.effectId());
    }

    /** @return null while the channel is not open */
    ChannelStatus status(LocalRecord of) {
        return Answers.of(around.channels().status(of.key()));
    }

    /** Whether who is on the line is the helper: what was spawned, or at first what the namespace's init started. */
    boolean isHelper(LocalRecord of, ChannelStatus status) {
        if (status == null || !status.helperConnected()) {
            return false;
        }
        ProcessIdentity.Tree tree = of.process().tree();
        if (tree.innerPid() != tree.initPid()) {
            return status.helperPid() == tree.innerPid() && status.helperStartTicks() == tree.innerStartTicks();
        }
        return proc.seen(status.helperPid())
                .filter(found -> found.startTicks() == status.helperStartTicks() && found.parent() == tree.initPid())
                .isPresent();
    }

    /** The environment of the binding's name. @throws BerthException environment_unconfirmed when there is none */
    LocalRecord named(EnvironmentBinding binding) {
        EnvironmentPlacement placement = binding.placement();
        return records.find(each -> each.workspace().equals(placement.workspace())
                        && each.name().equals(placement.name()))
                .map(this::healed)
                .orElseThrow(() -> new BerthException(
                        ProblemCode.ENVIRONMENT_UNCONFIRMED,
                        "This host has no environment " + placement.name() + " in workspace " + placement.workspace()
                                + "."));
    }

    /**
     * The bound environment.
     *
     * @throws BerthException environment_identity_changed when it is not the saved one, environment_not_ready
     */
    LocalRecord checked(EnvironmentBinding binding, boolean ready) {
        LocalRecord actual = named(binding);
        EnvironmentResource now = observed(actual);
        if (binding.resource() == null || !now.is(binding.resource())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_IDENTITY_CHANGED,
                    "The live environment is not the one of the saved binding.");
        }
        if (ready && !now.phase().equals(EnvironmentRules.READY)) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_NOT_READY,
                    "The bound environment is not Ready, it is " + now.phase() + ".");
        }
        return actual;
    }
}
