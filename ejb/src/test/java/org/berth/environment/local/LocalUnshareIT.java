package org.berth.environment.local;

import org.berth.host.EnvironmentSettings.Engine;

/** The same on a host without bubblewrap. */
class LocalUnshareIT extends LocalEnvironmentIT {
    @Override
    Engine engine() {
        return Engine.UNSHARE;
    }
}
