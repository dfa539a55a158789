/**
 * Measures executables and starts children. All of it runs on the spawner's thread. Entry point: {@code Launcher}.
 */
package org.berth.process.supervisor.spawn;
