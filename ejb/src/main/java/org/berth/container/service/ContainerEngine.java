package org.berth.container.service;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.berth.container.ContainerPlan;
import org.berth.container.ContainerState;

/**
 * A container engine, by its interface or by its command line. Every call blocks for a bounded time and belongs into no
 * transaction. Every method fails with {@code UNAVAILABLE} when the engine gave no whole answer, which is never absence;
 * what was asked for may then have happened.
 */
interface ContainerEngine {
    /** Its name in records: the socket or the command line. */
    String name();

    /** Its kind and version, such as {@code podman 4.3.1}. */
    String version();

    /**
     * Creates without starting.
     *
     * @param scratch a private directory that the container does not see
     * @return empty when the name is used
     * @throws org.berth.problem.BerthException NOT_FOUND for an image that the engine does not have, CONFLICT for
     *     anything else that it refused
     */
    Optional<Created> create(ContainerPlan plan, Path scratch);

    /** A new container. {@code warnings}: how many of the engine's own words came with it, mostly limits not enforced. */
    record Created(String id, int warnings) {}

    /** The container of that full id or name; empty when the engine says that there is none. */
    Optional<ContainerState> find(String idOrName);

    /** The full ids of every container, running or not, that carries the label; complete. */
    List<String> labelled(String label, String value);

    /** TERM to the container's first process, and KILL after the grace. Returns when it ended. */
    void stop(String id, int graceMillis);

    /** KILL. One that does not run is left alone. */
    void kill(String id);

    /** Removes it, killed if it runs. One that is gone is gone. */
    void remove(String id);
}
