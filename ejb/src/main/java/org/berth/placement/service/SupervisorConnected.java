package org.berth.placement.service;

/** Commands and attempts can be run: a supervisor was connected, after the boot or again. Observers must not block. */
public record SupervisorConnected() {}
