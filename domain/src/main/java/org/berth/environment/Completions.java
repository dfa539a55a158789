package org.berth.environment;

/** The selected completions of this host, for the batch job. */
public interface Completions {
    /**
     * Carries out what is eligible, each at most once a minute, until nobody asked for a check meanwhile.
     *
     * @return what was seen by all of its rounds together
     */
    Outcome reconcile();

    /**
     * @param selected completions that were open
     * @param attempted those that were eligible and due
     * @param confirmed those of them whose stop is confirmed now
     */
    record Outcome(int selected, int attempted, int confirmed) {
        public Outcome plus(Outcome other) {
            return new Outcome(selected + other.selected, attempted + other.attempted, confirmed + other.confirmed);
        }
    }
}
