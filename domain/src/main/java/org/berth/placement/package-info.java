/**
 * Placement: one admitted launch is one attempt is one supervised process. This package holds what it is made of
 * (records, sealed types), its rules as tables ({@code AttemptLifecycle}), the launch request and its decoder
 * ({@code PrepareRequest}, {@code PrepareRequestDecoder}), and the port to the processes ({@code Processes}). Entry
 * point: {@code AttemptLifecycle}. Depends on java.base and {@code org.berth.problem} only.
 */
package org.berth.placement;
