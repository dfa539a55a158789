package org.berth.environment;

/**
 * One file that is put into an environment.
 *
 * @param destination absolute guest path under the guest root
 * @param previousSha256 what the destination must hold; null when it must be missing
 */
public record GuestUpload(byte[] bytes, String destination, String previousSha256, boolean executable) {}
