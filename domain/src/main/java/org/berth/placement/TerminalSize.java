package org.berth.placement;

/** A terminal's size in character cells; each 1..1000. Source: placement.md, launch.mode. */
public record TerminalSize(int rows, int cols) {
    public TerminalSize {
        if (rows < 1 || rows > 1000 || cols < 1 || cols > 1000) {
            throw new IllegalArgumentException("rows and cols are 1..1000");
        }
    }
}
