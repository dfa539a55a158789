package org.berth.guest.os;

/**
 * A terminal's size in characters.
 *
 * @param rows 1 to {@value #MAX}
 * @param columns 1 to {@value #MAX}
 */
public record TerminalSize(int rows, int columns) {
    public static final int MAX = 1000;

    /** @throws IllegalArgumentException out of range */
    public TerminalSize {
        if (rows < 1 || rows > MAX || columns < 1 || columns > MAX) {
            throw new IllegalArgumentException("rows and columns are 1 to " + MAX);
        }
    }

    /** Reads {@code ROWSxCOLUMNS}. @throws IllegalArgumentException for anything else */
    public static TerminalSize parse(String text) {
        int x = text.indexOf('x');
        if (x < 0) {
            throw new IllegalArgumentException("a size is ROWSxCOLUMNS");
        }
        return new TerminalSize(Integer.parseInt(text.substring(0, x)), Integer.parseInt(text.substring(x + 1)));
    }

    @Override
    public String toString() {
        return rows + "x" + columns;
    }
}
