package org.berth.process.egress;

import java.net.InetAddress;

/**
 * Tells addresses of the public network from all others: loopback, private, link-local, shared, reserved, documentation,
 * benchmark, multicast, and the forms of IPv6 that hold such an IPv4 address. Source: IANA's special-purpose address
 * registries (RFC 6890, RFC 6598, RFC 6052, RFC 3056, RFC 4193).
 */
final class AddressScope {
    private static final int[][] NOT_PUBLIC_V4 = {
        {0x00000000, 8},
        {0x0a000000, 8},
        {0x64400000, 10},
        {0x7f000000, 8},
        {0xa9fe0000, 16},
        {0xac100000, 12},
        {0xc0000000, 24},
        {0xc0000200, 24},
        {0xc0586300, 24},
        {0xc0a80000, 16},
        {0xc6120000, 15},
        {0xc6336400, 24},
        {0xcb007100, 24},
        {0xe0000000, 3},
    };

    private AddressScope() {}

    static boolean isPublic(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4 ? isPublicV4(word(bytes, 0)) : isPublicV6(bytes);
    }

    private static boolean isPublicV6(byte[] bytes) {
        int first = word(bytes, 0);
        int second = word(bytes, 4);
        int third = word(bytes, 8);
        if (first == 0x0064ff9b && second == 0 && third == 0) {
            return isPublicV4(word(bytes, 12));
        }
        if (first >>> 16 == 0x2002) {
            return isPublicV4(first << 16 | second >>> 16);
        }
        boolean globalUnicast = first >>> 29 == 1;
        boolean protocolAssignment = first >>> 9 == 0x20010000 >>> 9;
        boolean documentation = first == 0x20010db8 || first >>> 12 == 0x3fff0000 >>> 12;
        return globalUnicast && !protocolAssignment && !documentation;
    }

    private static boolean isPublicV4(int address) {
        for (int[] range : NOT_PUBLIC_V4) {
            if ((address ^ range[0]) >>> (32 - range[1]) == 0) {
                return false;
            }
        }
        return true;
    }

    private static int word(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 24
                | (bytes[at + 1] & 0xff) << 16
                | (bytes[at + 2] & 0xff) << 8
                | bytes[at + 3] & 0xff;
    }
}
