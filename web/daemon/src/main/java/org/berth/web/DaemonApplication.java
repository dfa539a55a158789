package org.berth.web;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** The REST application of the daemon listener. */
@ApplicationPath("/")
public class DaemonApplication extends Application {}
