package org.berth.host.service;

import org.berth.host.HostPolicy;

/** Another policy is in force. */
public record PolicyReloaded(HostPolicy policy) {}
