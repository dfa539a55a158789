/**
 * The route on which hooks post, as the daemon and the guest listener serve it. Entry point: {@link
 * org.berth.activity.hooks.HookEndpoint}. May use domain and the services.
 */
package org.berth.activity.hooks;
