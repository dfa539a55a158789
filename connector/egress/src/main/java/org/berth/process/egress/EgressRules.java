package org.berth.process.egress;

import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * What the forward proxy lets through: exactly the listed pairs of host and port. A name may lead to public addresses
 * only; an address that is not public is reached only where it is listed itself, with the port. Immutable.
 */
public final class EgressRules {
    private final Set<Endpoint> listed;

    public EgressRules(Collection<Endpoint> listed) {
        this.listed = Set.copyOf(listed);
    }

    public boolean lists(Endpoint wanted) {
        return listed.contains(wanted);
    }

    /** Those of {@code addresses}, in their order, to which a connection for {@code wanted} may go. */
    public List<InetAddress> admitted(Endpoint wanted, List<InetAddress> addresses) {
        if (!lists(wanted)) {
            return List.of();
        }
        return addresses.stream()
                .filter(address -> AddressScope.isPublic(address) || lists(new Endpoint(plain(address), wanted.port())))
                .toList();
    }

    /** The address without the scope of an interface. */
    private static String plain(InetAddress address) {
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        return scope < 0 ? text : text.substring(0, scope);
    }
}
