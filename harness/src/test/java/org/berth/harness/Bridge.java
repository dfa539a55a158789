package org.berth.harness;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Runs generated scenarios through a component and its model. {@code -Dberth.seed=N} runs one scenario alone.
 *
 * @param <R> the rules that the scenarios must reach
 */
public final class Bridge<R extends Enum<R>> {
    /** One scenario: its inputs come from {@code random} alone. */
    @FunctionalInterface
    public interface Scenario<R extends Enum<R>> {
        void run(Random random, Bridge<R> bridge) throws Exception;
    }

    private final Class<?> test;
    private final Class<R> rules;
    private final Map<R, Integer> reached;

    public Bridge(Class<?> test, Class<R> rules) {
        this.test = test;
        this.rules = rules;
        this.reached = new EnumMap<>(rules);
    }

    /** A scenario met {@code rule}. */
    public void reached(R rule) {
        reached.merge(rule, 1, Integer::sum);
    }

    /**
     * Runs {@code count} scenarios; then every rule must have been reached.
     *
     * @throws AssertionError with a one-line reproduction
     */
    public void run(int count, Scenario<R> scenario) {
        String one = System.getProperty("berth.seed");
        IntStream seeds = one == null ? IntStream.range(0, count) : IntStream.of(Integer.parseInt(one));
        seeds.forEach(seed -> {
            try {
                scenario.run(new Random(seed), this);
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        "reproduce with: mvn -pl harness -am -Dtest=" + test.getSimpleName()
                                + " -Dsurefire.failIfNoSpecifiedTests=false -Dberth.seed=" + seed + " test; "
                                + e.getMessage(),
                        e);
            }
        });
        for (R rule : rules.getEnumConstants()) {
            if (one == null && !reached.containsKey(rule)) {
                throw new AssertionError("no scenario reached " + rule + ": " + reached);
            }
        }
    }
}
