package org.berth.credential.service;

import java.io.IOException;

/**
 * A file has its new name, and whether that lasts is not known, since its directory could not be synchronised. The caller
 * records configuration.uncertain and leaves the attempt uncertain. Source: placement.md, Start step 4.
 */
public final class ConfigurationUncertainException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String path;

    ConfigurationUncertainException(String path, IOException cause) {
        super("the file " + path + " was renamed into place, and its directory could not be synchronised", cause);
        this.path = path;
    }

    /** The file's path below the home. */
    public String path() {
        return path;
    }
}
