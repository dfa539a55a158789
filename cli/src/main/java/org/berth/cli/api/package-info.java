/** Talking to the public routes: one client, its errors, and waiting for a server that is away. Entry point: {@code ApiClient}. May use the JDK, jakarta.json, and {@code output} for progress lines. */
package org.berth.cli.api;
