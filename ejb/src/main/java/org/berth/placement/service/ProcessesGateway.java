package org.berth.placement.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.resource.ResourceException;
import java.util.function.Function;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.berth.placement.Processes;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.process.adapter.ProcessConnection;
import org.berth.process.adapter.ProcessConnectionFactory;

/**
 * The way to the supervised processes. The factory is looked up at each use, so that an administrator can disable the
 * resource adapter's connection and enable it again, each applied by a reload, while the application stays deployed.
 */
@ApplicationScoped
public class ProcessesGateway {
    private static final String FACTORY = "java:/eis/BerthProcesses";

    /** Gives the port to one call. @throws BerthException UNAVAILABLE when the adapter is disabled or not started */
    public <R> R call(Function<Processes, R> order) {
        return connected(order::apply);
    }

    /** Gives the whole connection to one call. @throws BerthException as {@link #call} */
    <R> R connected(Function<ProcessConnection, R> order) {
        try (ProcessConnection connection = factory().getConnection()) {
            return order.apply(connection);
        } catch (ResourceException e) {
            throw new BerthException(ProblemCode.UNAVAILABLE, "the resource adapter gives no connection; try again", e);
        }
    }

    /** @throws BerthException UNAVAILABLE when no start could work now; nothing is sent */
    public void requireAvailable() {
        call(processes -> {
            if (processes.supervisors().isEmpty()) {
                throw BerthException.unavailable("no supervisor is connected yet; try again in a moment");
            }
            return null;
        });
    }

    private static ProcessConnectionFactory factory() {
        try {
            return (ProcessConnectionFactory) new InitialContext().lookup(FACTORY);
        } catch (NamingException e) {
            throw new BerthException(
                    ProblemCode.UNAVAILABLE,
                    "the resource adapter 'berth' is disabled; an administrator enables its connection definition"
                            + " 'processes' in the management model",
                    e);
        }
    }
}
