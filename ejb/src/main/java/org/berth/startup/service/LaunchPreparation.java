package org.berth.startup.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.activity.WorkGrants;
import org.berth.environment.BindingRecord;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.driver.EnvironmentFiles;
import org.berth.environment.service.EnvironmentReader;
import org.berth.environment.service.LaunchJournal;
import org.berth.json.JsonText;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.startup.LaunchFiles;
import org.berth.startup.StartupPlan;
import org.berth.work.Actor;

/** Writes the private files of a launch into its guest: the activity grant, the work connection, the descriptor. */
@ApplicationScoped
public class LaunchPreparation {
    @Inject
    private EnvironmentReader reader;

    @Inject
    private EnvironmentFiles files;

    @Inject
    private WorkGrants workGrants;

    /** That a work connection which the binding names is its seat's. @throws BerthException environment_coordination_invalid */
    void requireConnection(EnvironmentBinding binding) {
        if (binding.config().coordinationRef() != null) {
            named(binding);
        }
    }

    /**
     * What is launched.
     *
     * @param request the launch operation's request
     * @param resumed the conversation that goes on; null for a fresh one
     */
    record Launch(Map<String, Object> request, EnvironmentCheckpoint resumed, StartupPlan plan) {
        static Launch of(Map<String, Object> request, Optional<EnvironmentCheckpoint> resumed, StartupPlan plan) {
            return new Launch(request, resumed.orElse(null), plan);
        }
    }

    void write(BindingRecord record, Launch launch, String activityToken, Actor actor) {
        EnvironmentBinding binding = record.binding();
        WorkConnection connection =
                binding.config().coordinationRef() == null ? issued(binding, actor) : named(binding);
        put(
                binding,
                LaunchFiles.ACTIVITY,
                LaunchFiles.activity(
                        binding.config().guestBaseUrl(),
                        activityToken,
                        binding.config().nodeId(),
                        binding.config().seat(),
                        (String) launch.request().get("generation")));
        put(binding, LaunchFiles.COORDINATION, LaunchFiles.coordination(connection.mcpUrl(), connection.token()));
        put(
                binding,
                LaunchFiles.DESCRIPTOR,
                LaunchFiles.descriptor(
                        launch.request(),
                        reader.ours(binding.bindingId()).projection(),
                        launch.plan(),
                        launch.resumed()));
    }

    private WorkConnection named(EnvironmentBinding binding) {
        return WorkConnection.parse(
                files.read(binding.config().coordinationRef()), binding.config().seat());
    }

    private WorkConnection issued(EnvironmentBinding binding, Actor actor) {
        String seat = binding.config().seat();
        String rig = seat.substring(seat.indexOf('@') + 1);
        String token = workGrants
                .issue(LaunchJournal.workGrant(binding.bindingId()), seat, List.of(rig), actor.session())
                .token();
        return new WorkConnection(SeatListeners.mcpUrl(binding.config().guestBaseUrl()), token);
    }

    private void put(EnvironmentBinding binding, String name, Map<String, Object> tree) {
        EnvironmentDriver driver = reader.driver(binding);
        String destination = binding.config().guestRoot() + "/" + name;
        String previous = null;
        try {
            previous = CanonicalJson.sha256(driver.read(binding, destination));
        } catch (BerthException e) {
            if (e.code() != ProblemCode.ENVIRONMENT_FILE_MISSING) {
                throw e;
            }
        }
        driver.upload(binding, JsonText.write(tree).getBytes(StandardCharsets.UTF_8), destination, previous, false);
    }
}
