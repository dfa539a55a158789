package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.berth.environment.EnvironmentConfig;
import org.berth.environment.driver.EnvironmentFiles;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.RigDirectory;

/** Checks a selection against this host and its rigs: the policy's bytes, the node, the directory of artifacts. */
@ApplicationScoped
public class BindingSelection {
    @Inject
    private EnvironmentFiles files;

    @Inject
    private RigDirectory rigs;

    /** For the container, which injects. */
    public BindingSelection() {}

    BindingSelection(EnvironmentFiles files, RigDirectory rigs) {
        this.files = files;
        this.rigs = rigs;
    }

    /**
     * The same with the policy's digest.
     *
     * @throws BerthException those of {@link EnvironmentFiles#read}, environment_node_missing
     */
    public EnvironmentConfig verified(EnvironmentConfig config) {
        String digest = CanonicalJson.sha256(files.read(config.placement().policy()));
        if (config.nodeId() != null && rigs.node(config.nodeId()).isEmpty()) {
            throw new BerthException(ProblemCode.ENVIRONMENT_NODE_MISSING, "There is no node " + config.nodeId() + ".");
        }
        if (config.artifactRoot() != null) {
            files.madeDirectory(config.artifactRoot());
        }
        return config.withPlacement(config.placement().withPolicySha256(digest));
    }
}
