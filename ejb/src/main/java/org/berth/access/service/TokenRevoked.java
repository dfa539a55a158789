package org.berth.access.service;

/** A token no longer holds: what it keeps open is to be closed. */
public record TokenRevoked(String tokenId) {}
