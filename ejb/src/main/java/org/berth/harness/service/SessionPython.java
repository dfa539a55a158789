package org.berth.harness.service;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.harness.setup.KernelEnvironment;
import org.berth.harness.setup.KernelPython;
import org.berth.host.service.Host;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The interpreter of local kernels. Nothing is downloaded for a session. Source: harness.md, "Kernel and transport". */
@ApplicationScoped
public class SessionPython {
    private static final Logger LOG = Logger.getLogger(SessionPython.class.getName());

    @Resource
    private ManagedExecutorService executor;

    @Inject
    private Host host;

    /** The absolute path of a Python that can run the kernel. Fails with UNAVAILABLE, which says what to do. */
    CompletionStage<String> find() {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return path(KernelEnvironment.of(host.stateRoot(), ShippedRuntime.directory(), System.getenv())
                                .ensure());
                    } catch (IOException e) {
                        throw new BerthException(
                                ProblemCode.STORAGE, "the kernel's environment cannot be read or made", e);
                    }
                },
                executor);
    }

    /** @throws BerthException UNAVAILABLE */
    static String path(KernelPython python) {
        return switch (python) {
            case KernelPython.Ready ready -> ready.python().toString();
            case KernelPython.Missing missing -> {
                LOG.log(Level.INFO, "no kernel can start: {0}", missing.reason());
                throw new BerthException(ProblemCode.UNAVAILABLE, missing.sentence());
            }
        };
    }
}
