package org.berth.process.adapter;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.jca.core.spi.statistics.StatisticsPlugin;

/** What the adapter counted since it was started, readable in the server's management model. */
public final class AdapterStatistics implements StatisticsPlugin {
    private static final long serialVersionUID = 1L;

    /** One counted thing; its name in the management model is {@link #key()}. */
    enum Counter {
        LAUNCHES("launches", "Children that a supervisor started"),
        REFUSED("refused", "Launches that a supervisor refused"),
        STOPS("stops", "Stop orders that a supervisor accepted"),
        INPUT_BYTES("inputBytes", "Input bytes accepted for children"),
        OUTPUT_BYTES("outputBytes", "Output bytes received from children"),
        EVENTS_DELIVERED("eventsDelivered", "Events recorded by the listener"),
        EVENT_RETRIES("eventRetries", "Deliveries that failed and were scheduled again"),
        RECONNECTS("reconnects", "Connections to a supervisor beyond the first to it"),
        ATTEMPTS("attempts", "Attempts that connected supervisors know now"),
        SUPERVISORS("supervisors", "Supervisors connected now");

        private final String key;
        private final String description;

        Counter(String key, String description) {
            this.key = key;
            this.description = description;
        }

        String key() {
            return key;
        }
    }

    private static final Map<String, Counter> BY_KEY =
            Stream.of(Counter.values()).collect(Collectors.toUnmodifiableMap(Counter::key, c -> c));

    private final transient Map<Counter, LongAdder> counted = new EnumMap<>(Counter.class);
    private final transient Map<Counter, LongSupplier> observed = new EnumMap<>(Counter.class);
    private volatile boolean enabled = true;

    AdapterStatistics(LongSupplier attempts, LongSupplier supervisors) {
        for (Counter counter : Counter.values()) {
            counted.put(counter, new LongAdder());
        }
        observed.put(Counter.ATTEMPTS, attempts);
        observed.put(Counter.SUPERVISORS, supervisors);
    }

    void add(Counter counter, long amount) {
        counted.get(counter).add(amount);
    }

    void add(Counter counter) {
        add(counter, 1);
    }

    long value(Counter counter) {
        LongSupplier supplier = observed.get(counter);
        return supplier == null ? counted.get(counter).sum() : supplier.getAsLong();
    }

    @Override
    public Set<String> getNames() {
        return BY_KEY.keySet();
    }

    @Override
    public Class<?> getType(String name) {
        return long.class;
    }

    @Override
    public String getDescription(String name) {
        Counter counter = BY_KEY.get(name);
        return counter == null ? null : counter.description;
    }

    @Override
    public String getDescription(String name, Locale locale) {
        return getDescription(name);
    }

    @Override
    public Object getValue(String name) {
        Counter counter = BY_KEY.get(name);
        return counter == null ? null : value(counter);
    }

    @Override
    public boolean isEnabled() {
        return enabled;
    }

    @Override
    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    @Override
    public void clear() {
        counted.values().forEach(LongAdder::reset);
    }
}
