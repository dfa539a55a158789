/**
 * Credentials on their way to a child and back: which are admitted and there, the child's variables, the login homes of
 * agent programs with their identity markers and generated configuration, and the write-back of a login. Entry points:
 * {@code CredentialBroker}, {@code ProviderHomes}, {@code LoginWriteback}. No sentence, record or marker holds a secret's
 * byte. May use the domain, {@code org.berth.host.service}, {@code org.berth.json} and {@code org.berth.harness.tree}.
 */
package org.berth.credential.service;
