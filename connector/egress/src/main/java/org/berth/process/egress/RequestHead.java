package org.berth.process.egress;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The head of one request to a forward proxy, read strictly: no folded lines, no blank before a colon, no doubtful length.
 * Source: RFC 9110 section 9.3.6, RFC 9112 sections 3.2 and 6.
 *
 * @param endpoint what it wants to reach
 * @param tunnel whether it is a CONNECT
 * @param originHead the head for the endpoint itself, with its empty line; empty for a tunnel
 * @param bodyBytes length of the body that follows; {@value #CHUNKED} when it is chunked
 */
record RequestHead(Endpoint endpoint, boolean tunnel, byte[] originHead, long bodyBytes) {
    /** Bound of a head: {@value} bytes. */
    static final int MAX_BYTES = 16_384;

    static final long CHUNKED = -1;

    private static final int HTTP_PORT = 80;
    private static final String SCHEME = "http://";
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e\\x80-\\xff]*");
    private static final Pattern TARGET = Pattern.compile("[\\x21-\\x7e]+");
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,15}");
    /** Headers of one hop. Source: RFC 9110 section 7.6.1. */
    private static final Set<String> HOP = Set.of(
            "connection", "proxy-connection", "proxy-authorization", "keep-alive", "te", "trailer", "upgrade", "host");

    private record Header(String name, String value) {
        String key() {
            return name.toLowerCase(Locale.ROOT);
        }
    }

    /** @throws IllegalArgumentException for what is not such a head */
    static RequestHead parse(byte[] head) {
        String[] lines = new String(head, StandardCharsets.ISO_8859_1).split("\r\n", -1);
        String[] request = lines[0].split(" ", -1);
        if (request.length != 3
                || !TOKEN.matcher(request[0]).matches()
                || !TARGET.matcher(request[1]).matches()
                || !request[2].equals("HTTP/1.1") && !request[2].equals("HTTP/1.0")) {
            throw new IllegalArgumentException("not a request");
        }
        List<Header> headers = headers(lines);
        if (request[0].equals("CONNECT")) {
            return new RequestHead(Endpoint.parse(request[1], 0), true, new byte[0], 0);
        }
        return absolute(request, headers);
    }

    private static List<Header> headers(String[] lines) {
        List<Header> headers = new ArrayList<>();
        for (int i = 1; i < lines.length && !lines[i].isEmpty(); i++) {
            int colon = lines[i].indexOf(':');
            if (colon < 1
                    || !TOKEN.matcher(lines[i].substring(0, colon)).matches()
                    || !VALUE.matcher(lines[i].substring(colon + 1)).matches()) {
                throw new IllegalArgumentException("not a header");
            }
            headers.add(new Header(
                    lines[i].substring(0, colon), lines[i].substring(colon + 1).strip()));
        }
        return headers;
    }

    private static RequestHead absolute(String[] request, List<Header> headers) {
        String target = request[1];
        if (!target.regionMatches(true, 0, SCHEME, 0, SCHEME.length()) || target.indexOf('#') >= 0) {
            throw new IllegalArgumentException("a proxy takes CONNECT or an http URL");
        }
        int end = target.length();
        for (int i = SCHEME.length(); i < end; i++) {
            if (target.charAt(i) == '/' || target.charAt(i) == '?') {
                end = i;
            }
        }
        String authority = target.substring(SCHEME.length(), end);
        String path = target.substring(end);
        if (path.isEmpty() && request[0].equals("OPTIONS")) {
            path = "*";
        } else if (!path.startsWith("/")) {
            path = "/" + path;
        }
        StringBuilder origin = new StringBuilder(request[0] + " " + path + " " + request[2] + "\r\n");
        origin.append("Host: ").append(authority).append("\r\n");
        Set<String> dropped = new TreeSet<>(HOP);
        headers.stream().filter(each -> each.key().equals("connection")).forEach(each -> {
            for (String name : each.value().split(",")) {
                dropped.add(name.strip().toLowerCase(Locale.ROOT));
            }
        });
        dropped.remove("content-length");
        dropped.remove("transfer-encoding");
        for (Header each : headers) {
            if (!dropped.contains(each.key())) {
                origin.append(each.name()).append(": ").append(each.value()).append("\r\n");
            }
        }
        origin.append("Connection: close\r\n\r\n");
        return new RequestHead(
                Endpoint.parse(authority, HTTP_PORT),
                false,
                origin.toString().getBytes(StandardCharsets.ISO_8859_1),
                bodyBytes(headers));
    }

    private static long bodyBytes(List<Header> headers) {
        List<String> lengths = values(headers, "content-length");
        List<String> codings = values(headers, "transfer-encoding");
        if (lengths.size() + codings.size() > 1) {
            throw new IllegalArgumentException("a body has one length");
        }
        if (!codings.isEmpty()) {
            if (!codings.getFirst().equalsIgnoreCase("chunked")) {
                throw new IllegalArgumentException("unknown transfer coding");
            }
            return CHUNKED;
        }
        if (lengths.isEmpty()) {
            return 0;
        }
        if (!LENGTH.matcher(lengths.getFirst()).matches()) {
            throw new IllegalArgumentException("not a length");
        }
        return Long.parseLong(lengths.getFirst());
    }

    private static List<String> values(List<Header> headers, String key) {
        return headers.stream()
                .filter(each -> each.key().equals(key))
                .map(Header::value)
                .toList();
    }
}
