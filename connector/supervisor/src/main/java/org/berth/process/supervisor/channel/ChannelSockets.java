package org.berth.process.supervisor.channel;

import java.io.IOException;
import java.time.Clock;
import java.util.List;
import org.berth.environment.ChannelOrder;
import org.berth.process.supervisor.os.Descriptors;

/**
 * All that listens for one channel. Made, changed and removed on the channels' thread.
 *
 * @param place the channel's directory
 * @param hostPlace the supervisor's own directory of sockets
 * @param control where the helper dials in
 * @param viewer where the helper dials for a viewer
 * @param host where a viewer on the host connects
 */
record ChannelSockets(
        SocketPlace place, SocketPlace hostPlace, String hostName, int control, int viewer, int host, Egress egress) {
    private static final String CONTROL = "control.sock";
    private static final String VIEWER = "viewer.sock";

    /** Characters of a channel's id in the name of its socket for viewers, so that its path stays short. */
    private static final int HOST_NAME_DIGITS = 12;

    /** @throws org.berth.problem.BerthException when the directory may not be used, or a socket is in use */
    static ChannelSockets open(ChannelOrder order, String socketDirectory, Clock clock) throws IOException {
        String hostName = "v-" + order.channelId().substring(0, HOST_NAME_DIGITS) + ".sock";
        SocketPlace place = null;
        SocketPlace hostPlace = null;
        int[] listeners = {-1, -1, -1};
        try {
            place = SocketPlace.open(order.directory());
            hostPlace = SocketPlace.open(socketDirectory);
            listeners[0] = place.listen(CONTROL);
            listeners[1] = place.listen(VIEWER);
            listeners[2] = hostPlace.listen(hostName);
            Egress egress = Egress.open(place, order, clock);
            return new ChannelSockets(place, hostPlace, hostName, listeners[0], listeners[1], listeners[2], egress);
        } catch (IOException | RuntimeException e) {
            for (int listener : listeners) {
                Descriptors.close(listener);
            }
            if (place != null) {
                discard(place, listeners[0], CONTROL);
                discard(place, listeners[1], VIEWER);
                place.close();
            }
            if (hostPlace != null) {
                discard(hostPlace, listeners[2], hostName);
                hostPlace.close();
            }
            throw e;
        }
    }

    private static void discard(SocketPlace place, int listener, String name) throws IOException {
        if (listener >= 0) {
            place.remove(name);
        }
    }

    String viewerSocket() {
        return hostPlace.path(hostName);
    }

    /** The loop's part of the end: nothing is accepted any more. */
    void closeListeners() {
        Descriptors.close(control);
        Descriptors.close(viewer);
        Descriptors.close(host);
    }

    /** The rest of the end: no socket is left. */
    void remove() throws IOException {
        egress.close();
        try (place;
                hostPlace) {
            for (String name : List.of(CONTROL, VIEWER)) {
                place.remove(name);
            }
            hostPlace.remove(hostName);
        }
    }
}
