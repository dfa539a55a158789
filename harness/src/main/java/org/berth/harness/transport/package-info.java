/**
 * Where a kernel runs and which paths it shares with the host. Entry points: {@link
 * org.berth.harness.transport.KernelLaunch} for the start, {@link org.berth.harness.transport.FsRequests} for paths in file
 * requests. Uses JSON-P and the problem codes; starts no process.
 */
package org.berth.harness.transport;
