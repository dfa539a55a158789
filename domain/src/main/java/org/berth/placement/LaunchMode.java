package org.berth.placement;

/** Three pipes, or one terminal. */
public enum LaunchMode {
    PIPES,
    WINDOW
}
