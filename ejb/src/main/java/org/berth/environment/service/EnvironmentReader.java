package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.berth.environment.BindingRecord;
import org.berth.environment.BindingRules;
import org.berth.environment.DriverKind;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.EnvironmentResource;
import org.berth.environment.driver.EnvironmentDrivers;
import org.berth.environment.store.BindingFilter;
import org.berth.host.service.Host;
import org.berth.problem.BerthException;

/** Reads bindings, stored and live. No transaction is open while a driver is asked. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class EnvironmentReader {
    @Inject
    private EnvironmentJournal journal;

    @Inject
    private EnvironmentDrivers drivers;

    @Inject
    private Host host;

    /** For the container, which injects. */
    public EnvironmentReader() {}

    EnvironmentReader(EnvironmentJournal journal, EnvironmentDrivers drivers, Host host) {
        this.journal = journal;
        this.drivers = drivers;
        this.host = host;
    }

    /** A binding and the environment that its driver shows now. */
    public record Current(BindingRecord record, EnvironmentResource observed) {
        public EnvironmentBinding binding() {
            return record.binding();
        }
    }

    /** @throws BerthException environment_binding_missing */
    public BindingRecord stored(String bindingId) {
        return journal.read(store -> store.find(bindingId)).orElseThrow(BindingRules::missing);
    }

    /** As {@link #stored}, for an operation on it. @throws BerthException UNAVAILABLE for a binding of another host */
    public BindingRecord ours(String bindingId) {
        BindingRecord record = stored(bindingId);
        if (!record.hostId().equals(host.hostId())) {
            throw BerthException.unavailable(
                    "The binding belongs to host " + record.hostId() + "; send the request to that host's server.");
        }
        return record;
    }

    /** The binding of the node, or of the seat when no node has claimed that one yet. */
    public Optional<BindingRecord> forNode(String nodeId, String seat) {
        return journal.read(store -> store.forNode(nodeId, seat));
    }

    /**
     * The live environment, proven to be the bound one.
     *
     * @throws BerthException environment_binding_missing, environment_identity_changed, environment_not_ready, and the
     *     driver's
     */
    public Current current(String bindingId, boolean ready) {
        BindingRecord record = ours(bindingId);
        return new Current(record, observe(record.binding(), ready));
    }

    /** As {@link #current}, of a binding that was read before. */
    public EnvironmentResource observe(EnvironmentBinding binding, boolean ready) {
        if (binding.resource() == null) {
            BindingRules.requireIdentity(binding, null);
        }
        EnvironmentDriver driver = driver(binding);
        EnvironmentResource observed = Provider.asked(() -> driver.inspect(binding));
        BindingRules.requireIdentity(binding, observed);
        if (ready) {
            BindingRules.requireReady(observed);
        }
        return observed;
    }

    /** The binding's driver. @throws BerthException environment_driver_unsupported */
    public EnvironmentDriver driver(EnvironmentBinding binding) {
        return drivers.of(binding.placement().gateway());
    }

    /** The binding's operations in the order of their intents. */
    public List<EnvironmentOperation> operations(BindingRecord record) {
        return journal.read(store -> store.journal(record));
    }

    /**
     * Newest first; null in a filter is any.
     *
     * @param after the last binding of the page before; null for the first page
     * @param limit 1..1000
     * @throws BerthException INVALID for a cursor that names no binding
     */
    public List<BindingRecord> page(String rig, String seat, DriverKind driver, String phase, String after, int limit) {
        BindingFilter filter = new BindingFilter(rig, seat, driver, phase, after, limit);
        return journal.read(store -> store.page(filter));
    }

    /** What the driver does not enforce of the binding's policy; null when the driver does not say now. */
    public List<String> unenforced(EnvironmentBinding binding) {
        return told(() -> driver(binding).unenforced(binding));
    }

    /** What the environment refused to let out; null when the driver does not say now. */
    public List<String> egressRefusals(EnvironmentBinding binding) {
        return told(() -> driver(binding).egressRefusals(binding));
    }

    private static List<String> told(Supplier<List<String>> question) {
        try {
            return Provider.asked(question);
        } catch (BerthException e) {
            return null;
        }
    }
}
