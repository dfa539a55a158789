/**
 * The words that the server's adapter and the supervisor exchange over a Unix socket. {@link
 * org.berth.process.protocol.Frame} lists them, {@link org.berth.process.protocol.FrameCodec} turns them into bytes.
 * Entry point: {@code FrameCodec}. Depends on java.base and the domain's records only.
 */
package org.berth.process.protocol;
