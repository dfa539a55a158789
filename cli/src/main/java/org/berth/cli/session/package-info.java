/** Following the jobs of a session while they run. Entry point: {@code JobFollower}. May use {@code api} and {@code output}. */
package org.berth.cli.session;
