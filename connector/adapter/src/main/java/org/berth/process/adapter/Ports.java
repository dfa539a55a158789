package org.berth.process.adapter;

import org.berth.environment.GuestChannels;
import org.berth.environment.HostCommands;
import org.berth.placement.Processes;

/** What one adapter offers over its shared connections. */
record Ports(Processes processes, HostCommands commands, GuestChannels channels) {}
