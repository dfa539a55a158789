package org.berth.process.supervisor.spawn;

import org.berth.placement.ExecutableMeasurement;

/**
 * An executable file, and the interpreter that its first line names.
 *
 * @param interpreter null unless the file is a script
 * @param interpreterArgument the rest of the {@code #!} line; null for none
 */
record Executable(OpenedFile file, OpenedFile interpreter, String interpreterArgument, ExecutableMeasurement measured)
        implements AutoCloseable {
    @Override
    public void close() {
        file.close();
        if (interpreter != null) {
            interpreter.close();
        }
    }
}
