package org.berth.host.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import java.time.Clock;

/** The clock of every service, so that a test can give another. */
@ApplicationScoped
public class Clocks {
    @Produces
    @Dependent
    Clock clock() {
        return Clock.systemUTC();
    }
}
