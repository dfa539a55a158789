package org.berth.placement.rest;

import jakarta.websocket.HandshakeResponse;
import jakarta.websocket.server.HandshakeRequest;
import jakarta.websocket.server.ServerEndpointConfig;
import java.util.List;

/** Speaks the one subprotocol of the stream. Source: api.md, Stream. */
public class StreamHandshake extends ServerEndpointConfig.Configurator {
    static final String SUBPROTOCOL = "berth.stream.1";

    @Override
    public String getNegotiatedSubprotocol(List<String> supported, List<String> requested) {
        return requested.contains(SUBPROTOCOL) ? SUBPROTOCOL : "";
    }

    /** A browser's page of another origin must not speak with a token it does not know of. */
    @Override
    public boolean checkOrigin(String origin) {
        return origin == null || origin.isEmpty() || isLoopback(origin);
    }

    private static boolean isLoopback(String origin) {
        String host = java.net.URI.create(origin).getHost();
        return "127.0.0.1".equals(host) || "localhost".equals(host) || "[::1]".equals(host);
    }

    @Override
    public void modifyHandshake(ServerEndpointConfig config, HandshakeRequest request, HandshakeResponse response) {
        response.getHeaders().put("Cache-Control", List.of("no-store"));
    }
}
