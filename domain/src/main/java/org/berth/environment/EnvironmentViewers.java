package org.berth.environment;

/** The windows that Berth opened on the terminals of environments. */
public interface EnvironmentViewers {
    /**
     * Ends every window on the binding's environment and waits, 20 s at most, for their ends. The environment itself is
     * not asked for anything.
     *
     * @return whether the end of each is observed; also true when there was none
     */
    boolean close(String bindingId);
}
