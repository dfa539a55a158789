/**
 * Where a launch's credentials may go: which projections a policy admits, and that no two sources fill one destination.
 * Pure rules over names; no secret is seen here. Entry points: {@code ProjectionRules}, {@code DestinationRules}. Depends
 * on java.base, {@code org.berth.driver}, {@code org.berth.host}, {@code org.berth.placement} and {@code
 * org.berth.problem} only.
 */
package org.berth.credential;
