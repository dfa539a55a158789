package org.berth.access;

/**
 * A new token, for the one answer that shows it.
 *
 * @param token what is stored
 * @param text what the caller sends as its bearer token; secret
 */
public record IssuedToken(ApiToken token, String text) {
    /** Leaves the secret out. */
    @Override
    public String toString() {
        return "IssuedToken[" + token.tokenId() + "]";
    }
}
