/**
 * The one thread that serves every descriptor and timer, and the permanent threads beside it. Entry point: {@code
 * EventLoop}. Depends on the supervisor's {@code os} package only.
 */
package org.berth.process.supervisor.loop;
