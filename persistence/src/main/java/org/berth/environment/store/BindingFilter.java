package org.berth.environment.store;

import org.berth.environment.DriverKind;

/**
 * Which bindings a page holds; null for any.
 *
 * @param phase the stored phase of the resource
 * @param afterBindingId the last binding of the page before; null for the first page
 * @param limit 1..1000
 */
public record BindingFilter(
        String rig, String seat, DriverKind driver, String phase, String afterBindingId, int limit) {
    public BindingFilter {
        if (limit < 1 || limit > 1000) {
            throw new IllegalArgumentException("a page has 1..1000 bindings: " + limit);
        }
    }
}
