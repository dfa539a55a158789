/**
 * The host's side of a kernel: requests with their events and ends, and the kernel's requests to the host. Entry point:
 * {@link org.berth.harness.kernel.KernelClient}. Uses the frame gate, the path map and JSON-P; starts no process: bytes come
 * and go through {@link org.berth.harness.kernel.KernelChannel}.
 */
package org.berth.harness.kernel;
