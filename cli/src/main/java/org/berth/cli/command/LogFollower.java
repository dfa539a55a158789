package org.berth.cli.command;

import java.io.IOException;
import java.io.OutputStream;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Patience;
import org.berth.cli.launch.Run;
import org.berth.cli.output.Progress;

/** Prints one stream of one attempt's log. */
final class LogFollower {
    private static final int WAIT_SECONDS = 20;

    private final ApiClient api;
    private final Surroundings surroundings;
    private final String attemptId;
    private final String stream;
    private final Integer tail;
    private final Patience patience;

    /** @param tail only the last lines; null for all */
    LogFollower(ApiClient api, Surroundings surroundings, String attemptId, String stream, Integer tail) {
        this.api = api;
        this.surroundings = surroundings;
        this.attemptId = attemptId;
        this.stream = stream;
        this.tail = tail;
        patience = Run.patience(Progress.Source.of(surroundings));
    }

    /** What there is. @return where the rest begins */
    long once() {
        LogPage page = LogPage.first(api, attemptId, stream, tail);
        write(page.data());
        return page.next();
    }

    /** What there is and what comes, until the attempt ended and its log is read to its end. */
    void untilEnd() {
        long next = once();
        boolean ended = false;
        while (true) {
            long from = next;
            int wait = ended ? 0 : WAIT_SECONDS;
            LogPage page = patience.outlast(() -> LogPage.after(api, attemptId, stream, from, wait));
            if (page.from() > from) {
                surroundings
                        .err()
                        .println("berth: the log let " + (page.from() - from) + " bytes of " + stream + " go");
            }
            write(page.data());
            next = Math.max(from, page.next());
            if (page.data().length == 0) {
                if (ended) {
                    return;
                }
                ended = Attempts.exited(patience.outlast(() -> Attempts.read(api, attemptId)));
                // what came between the two answers is read once more
            }
        }
    }

    private void write(byte[] data) {
        OutputStream target = stream.equals("stderr") ? surroundings.err() : surroundings.out();
        try {
            target.write(data);
            target.flush();
        } catch (IOException e) {
            throw Failure.failed("Nobody reads the output any more.", null);
        }
    }
}
