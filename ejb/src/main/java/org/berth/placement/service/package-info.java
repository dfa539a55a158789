/**
 * The services of placement. Entry points: {@code PrepareService}, {@code AgentRuns}, {@code StartService}, {@code StopService}, {@code
 * ReconcileService}, {@code CleanupService}, {@code AttachService}, {@code InputService}, {@code AttemptReader}. Each
 * authorises the {@link org.berth.access.Caller}, lets a pure rule decide, records it through {@code AttemptChanges} in
 * one short transaction, and does outside effects through the {@link org.berth.placement.Processes} port with no
 * transaction open. May use domain, persistence, the drivers' catalogue, the
 * ledger of grants and the adapter's interfaces.
 */
package org.berth.placement.service;
