/**
 * Proves who calls: the bearer mechanism of every web module, the check of a token, and the owner's first token. Entry
 * point: {@code BearerAuthenticationMechanism}, found by Jakarta Security. Depends on {@code org.berth.access}, its
 * store and {@code org.berth.problem}.
 */
package org.berth.access.security;
