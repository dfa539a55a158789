package org.berth.acceptance;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers a digest challenge with quality of protection auth. Source: RFC 7616. */
record DigestLogin(String user, String password) {
    String answer(String challenge, String method, String path) {
        String realm = part(challenge, "realm");
        String nonce = part(challenge, "nonce");
        String opaque = part(challenge, "opaque");
        String client = UUID.randomUUID().toString();
        String secret = hash(user + ":" + realm + ":" + password);
        String response = hash(secret + ":" + nonce + ":00000001:" + client + ":auth:" + hash(method + ":" + path));
        return "Digest username=\"" + user + "\", realm=\"" + realm + "\", nonce=\"" + nonce + "\", uri=\"" + path
                + "\", qop=auth, nc=00000001, cnonce=\"" + client + "\", response=\"" + response + "\", opaque=\""
                + opaque + "\", algorithm=MD5";
    }

    private static String part(String challenge, String name) {
        Matcher matcher = Pattern.compile(name + "=\"([^\"]*)\"").matcher(challenge);
        if (!matcher.find()) {
            throw new IllegalStateException("no " + name + " in " + challenge);
        }
        return matcher.group(1);
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
