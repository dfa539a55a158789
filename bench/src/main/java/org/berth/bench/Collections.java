package org.berth.bench;

import java.io.IOException;

/** Garbage collections of server and supervisor, so that only what is kept is counted. */
final class Collections {
    private static final String JCMD = ProcessHandle.current()
            .info()
            .command()
            .map(java -> java.replaceAll("/java$", "/jcmd"))
            .orElse("jcmd");

    private Collections() {}

    /** One in each, waited for. */
    static void run(Target target) throws IOException, InterruptedException {
        Commands.run(JCMD, Long.toString(target.serverPid()), "GC.run");
        Commands.run(JCMD, Long.toString(target.supervisorPid()), "GC.run");
    }
}
