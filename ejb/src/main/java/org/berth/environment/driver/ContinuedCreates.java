package org.berth.environment.driver;

import org.berth.environment.EnvironmentResource;

/**
 * What a driver can do whose create goes on where an earlier call of the same effect ended: it may be asked again for what
 * was only begun. Other providers are never asked twice. Source: environments.md, The local driver in detail.
 */
public interface ContinuedCreates {
    /** Whether a create began {@code listed}, and no compute of it was ever started. */
    boolean isUnfinished(EnvironmentResource listed);
}
