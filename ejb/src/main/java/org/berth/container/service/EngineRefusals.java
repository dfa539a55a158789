package org.berth.container.service;

import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** What an engine refused, in sentences of ours: its own words may hold anything of the request. */
final class EngineRefusals {
    private EngineRefusals() {}

    static BerthException image(String image) {
        return new BerthException(
                ProblemCode.NOT_FOUND,
                "the image " + image + " is not on this host's container engine; load or pull it there first");
    }

    static BerthException create(int status) {
        return BerthException.conflict("the container engine refused to create the container (status " + status
                + "); check network, users, limits and mounts of the key container of host.yaml");
    }

    static BerthException effect(String done, int status) {
        return BerthException.unavailable(
                "the container could not be " + done + ", the engine answered with status " + status + "; try again");
    }
}
