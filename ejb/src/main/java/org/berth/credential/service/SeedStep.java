package org.berth.credential.service;

import java.io.IOException;

/** The steps between two effects of a materialisation. */
enum SeedStep {
    JOURNALLED,
    DIRECTORY_MADE,
    RENAMED,
    LOGIN_COMPLETE,
    MARKED;

    /** Stands between the steps, where a test ends the work or lets a file system fail. */
    @FunctionalInterface
    interface Watch {
        Watch NONE = step -> {};

        void passed(SeedStep step) throws IOException;
    }
}
