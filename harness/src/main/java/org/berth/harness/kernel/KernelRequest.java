package org.berth.harness.kernel;

import java.util.concurrent.CompletableFuture;

/**
 * A request that was sent.
 *
 * @param id by which it is interrupted
 * @param done the kernel's end of it; fails with a {@code ProtocolFault} or a {@link KernelEnded}
 */
public record KernelRequest(String id, CompletableFuture<Done> done) {}
