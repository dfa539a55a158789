package org.berth.placement.service;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.UUID;
import org.berth.driver.AgentDriver;
import org.berth.placement.AgentRunRequest;
import org.berth.placement.AttemptKeys;
import org.berth.placement.PlacementLayout;
import org.berth.problem.BerthException;

/**
 * The conversation of a session, one for each (owner, session_ref).
 *
 * @param id a UUID in text form; null without a session
 * @param resumed whether a turn goes on with it
 */
record AgentConversation(String id, boolean resumed) {
    private static final AgentConversation NONE = new AgentConversation(null, false);

    /**
     * Decides by what the retained home holds.
     *
     * @throws BerthException CONFLICT when {@code resume} says otherwise than the home
     */
    static AgentConversation of(PlacementLayout layout, AgentDriver driver, String ownerId, AgentRunRequest run) {
        if (run.sessionRef() == null) {
            return NONE;
        }
        String id = id(ownerId, run.sessionRef());
        Path home = layout.sessionHome(AttemptKeys.session(ownerId, run.sessionRef()));
        boolean there = Files.isDirectory(home, LinkOption.NOFOLLOW_LINKS) && driver.hasConversation(home, id);
        if (run.resume() != null && run.resume() != there) {
            throw BerthException.conflict(
                    there
                            ? "resume is false, but session_ref has a conversation; begin another session_ref"
                            : "resume is true, but session_ref has no conversation; leave resume out to begin one");
        }
        return new AgentConversation(id, there);
    }

    /** The same for the same pair, on every host. */
    static String id(String ownerId, String sessionRef) {
        // No id holds a NUL, so the parts cannot run into each other.
        String name = "conversation\0" + ownerId + '\0' + sessionRef;
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
