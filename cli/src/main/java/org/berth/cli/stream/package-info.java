/** Following one attempt's output and feeding its input over a WebSocket, exactly and across reconnections. Entry point: {@code StreamClient}. May use {@code api}. */
package org.berth.cli.stream;
