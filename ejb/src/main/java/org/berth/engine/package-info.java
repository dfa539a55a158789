/**
 * A container engine's REST interface at a Unix socket: plain HTTP/1.1, its answers as trees, and streams that take over
 * a connection. Entry point: {@link org.berth.engine.Engine}. May use org.berth.json and org.berth.problem; knows neither
 * environments nor attempts.
 */
package org.berth.engine;
