package org.berth.environment.driver;

import org.berth.environment.DriverKind;
import org.berth.environment.EnvironmentDriver;

/** Makes the drivers of one kind. Each implementation is an application-scoped bean; there is one for each kind. */
public interface DriverFactory {
    DriverKind kind();

    /** The driver of {@code gateway}, whose kind is {@link #kind()}. Called for every operation: cheap, and without effect. */
    EnvironmentDriver driver(String gateway);
}
