package org.berth.harness.service;

import java.util.logging.Level;
import java.util.logging.Logger;

/** What one kernel says about itself, in the server's log, up to a bound. Any thread may call. */
final class KernelLog {
    private static final Logger LOG = Logger.getLogger(KernelLog.class.getName());

    /** Characters of one kernel's diagnostics. Source: an own choice. */
    static final int MOST_CHARACTERS = 65_536;

    private final String sessionId;
    private int left = MOST_CHARACTERS;

    KernelLog(String sessionId) {
        this.sessionId = sessionId;
    }

    void say(String sentence) {
        String said = bounded(sentence);
        if (!said.isEmpty()) {
            LOG.log(Level.INFO, "the kernel of session {0}: {1}", new Object[] {sessionId, said});
        }
    }

    /** What of it is logged; empty once the bound was reached. */
    synchronized String bounded(String sentence) {
        if (left == 0) {
            return "";
        }
        if (sentence.length() < left) {
            left -= sentence.length();
            return sentence;
        }
        String cut = sentence.substring(0, left) + "… (this kernel says no more here)";
        left = 0;
        return cut;
    }
}
