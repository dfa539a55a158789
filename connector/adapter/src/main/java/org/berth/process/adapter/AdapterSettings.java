package org.berth.process.adapter;

import java.nio.file.Path;

/**
 * The adapter's properties, resolved. Every {@code …Millis} is in milliseconds, every {@code …Bytes} in bytes.
 *
 * @param stateRoot real path of BERTH_HOME
 * @param socketDirectory absolute
 * @param distribution directory of the supervisor program as it was shipped
 * @param javaCommand absolute path of the Java launcher
 * @param instance the name of this BERTH_HOME among the user's, 12 hex digits
 */
record AdapterSettings(
        Path stateRoot,
        Path socketDirectory,
        Path distribution,
        Path javaCommand,
        String instance,
        int chunkBytes,
        int spoolBytes,
        int outstandingChunks,
        int fenceMillis,
        int takeoverMillis,
        int connectMillis,
        int requestMillis,
        int reconnectMinMillis,
        int reconnectMaxMillis,
        int deliveryLanes) {
    AdapterSettings {
        require(chunkBytes >= 1, "chunkBytes", "at least 1", chunkBytes);
        require(spoolBytes >= chunkBytes, "spoolBytes", "at least chunkBytes", spoolBytes);
        require(outstandingChunks >= 1, "outstandingChunks", "at least 1", outstandingChunks);
        require(fenceMillis >= 1, "fenceMillis", "at least 1", fenceMillis);
        require(takeoverMillis >= 1, "takeoverMillis", "at least 1", takeoverMillis);
        require(connectMillis >= 1, "connectMillis", "at least 1", connectMillis);
        require(requestMillis >= 1, "requestMillis", "at least 1", requestMillis);
        require(reconnectMinMillis >= 1, "reconnectMinMillis", "at least 1", reconnectMinMillis);
        require(
                reconnectMaxMillis >= reconnectMinMillis,
                "reconnectMaxMillis",
                "at least reconnectMinMillis",
                reconnectMaxMillis);
        require(deliveryLanes >= 1, "deliveryLanes", "at least 1", deliveryLanes);
    }

    private static void require(boolean holds, String property, String rule, int value) {
        if (!holds) {
            throw new IllegalArgumentException(property + " must be " + rule + "; it is " + value);
        }
    }
}
