package org.berth.web;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.berth.access.Caller;
import org.berth.access.Role;
import org.berth.json.JsonText;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.work.Actor;

/**
 * Names the seat that acts in a request on rigs, work or environments.
 *
 * <p>An operator's token declares the seat with the header {@value #SESSION}; a seat's token proves its own and can
 * name no other; an owner's token has no seat and acts on none of these. No header can claim a principal. Source:
 * environments.md, Operations and Attribution.
 */
@RequestScoped
public class Senders {
    /** The header that names the sender's seat. */
    public static final String SESSION = "X-OpenRig-Session";

    /** Bound of a seat's address: {@value} characters. */
    public static final int MAX_SEAT = 320;

    /** Source: the reference's seat rule; control characters are left out besides, since addresses stand in logs. */
    private static final Pattern SEAT = Pattern.compile("[^\\s@\\p{Cntrl}]{1,159}@[^\\s@\\p{Cntrl}]{1,160}");

    private final HttpServletRequest request;

    /** For the container's proxy. */
    protected Senders() {
        this(null);
    }

    @Inject
    public Senders(HttpServletRequest request) {
        this.request = request;
    }

    /**
     * The acting seat of a writer.
     *
     * @throws BerthException sender_identity_required without a seat, FORBIDDEN for an owner's token or another seat,
     *     INVALID for a header that is no seat
     */
    public Actor writer() {
        Caller caller = reader();
        String named = request.getHeader(SESSION);
        if (caller.seat() != null) {
            if (named != null && !named.equals(caller.seat())) {
                throw new BerthException(
                        ProblemCode.FORBIDDEN, "This token names the seat " + caller.seat() + " only.");
            }
            return new Actor(caller.seat(), Actor.PRINCIPAL, principal(caller));
        }
        if (named == null || named.isBlank()) {
            throw new BerthException(
                    ProblemCode.SENDER_IDENTITY_REQUIRED, "The header " + SESSION + " must name the acting seat.");
        }
        return new Actor(seat(SESSION, named), Actor.DECLARED, null);
    }

    /** The caller of a route of rigs, work or environments. @throws BerthException FORBIDDEN for an owner's token */
    public Caller reader() {
        Caller caller = Callers.of(request);
        if (!caller.isOperator() && !caller.is(Role.SEAT)) {
            throw new BerthException(
                    ProblemCode.FORBIDDEN, "Rigs, work and environments need an operator's token or a seat's.");
        }
        return caller;
    }

    /** @throws BerthException INVALID */
    public static String seat(String field, String value) {
        if (value == null || !SEAT.matcher(value).matches()) {
            throw BerthException.invalid(field + " must be a seat's address, member@rig");
        }
        return value;
    }

    private static String principal(Caller caller) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("source", "token");
        tree.put("id", caller.tokenId());
        return JsonText.write(tree);
    }
}
