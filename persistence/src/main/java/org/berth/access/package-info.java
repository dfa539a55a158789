/**
 * Who calls: {@code Caller} and its roles, and the bearer tokens that prove it ({@code Tokens}). Entry point: {@code
 * Tokens}. Depends on java.base and {@code org.berth.placement.CanonicalJson} (the one sha256).
 */
package org.berth.access;
