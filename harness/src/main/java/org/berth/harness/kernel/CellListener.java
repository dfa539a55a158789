package org.berth.harness.kernel;

import jakarta.json.JsonObject;
import java.util.List;

/** What one cell shows, in its order. Called on the thread that feeds; must not wait. */
public interface CellListener {
    /** A piece of output. */
    void output(OutputStream stream, String text);

    /** The text of the last expression. */
    void result(String text);

    /** Rich output. @param data MIME type to payload */
    void display(JsonObject data);

    /** The cell raised an exception. @param traceback lines from the cell's first frame on, may be empty */
    void error(String name, String text, List<String> traceback);
}
