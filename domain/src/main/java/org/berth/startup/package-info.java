/**
 * What a contained seat is started with: the inputs of its agent, where each lies in the guest, and the files that the
 * launch puts beside them. Entry points: {@link org.berth.startup.GuestLayout} and {@link
 * org.berth.startup.LaunchFiles}. Depends on java.base and {@code org.berth.environment} only. Source: environments.md
 * and the reference's startup.
 */
package org.berth.startup;
