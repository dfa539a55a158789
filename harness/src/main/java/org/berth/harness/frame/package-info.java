/**
 * The frame gate: splits what a kernel writes into lines and decides on each one, in order, before any handler sees it.
 * Entry points: {@link org.berth.harness.frame.FrameSplitter} (bytes in), {@link org.berth.harness.frame.Gate} (one
 * decision each), {@link org.berth.harness.frame.HostRequests} (one handler call and one reply for each accepted
 * request). Uses java.base and JSON-P's value types; {@code model} holds the same rules as pure data.
 */
package org.berth.harness.frame;
