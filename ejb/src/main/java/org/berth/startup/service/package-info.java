/**
 * The start of contained seats: from rig and agent files to a verified projection, and from there to a launched native
 * whose identity is observed. Entry points: {@link org.berth.startup.service.LaunchService} for one environment,
 * {@link org.berth.startup.service.RigStart} for a rig.
 */
package org.berth.startup.service;
