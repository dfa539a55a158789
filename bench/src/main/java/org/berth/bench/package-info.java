/**
 * Speed of the running product, seen through its public routes, each figure beside the plain alternative of the same
 * run. Entry point: {@link org.berth.bench.Benchmarks}, which {@code bench/run} starts against a server of its own.
 * Depends on the connector's protocol for its codec's benchmark, and on the harness for its gate's, only.
 */
package org.berth.bench;
