/** The server's process on this machine: starting, finding and ending it. Entry point: {@code ServerProcess}. */
package org.berth.cli.server;
