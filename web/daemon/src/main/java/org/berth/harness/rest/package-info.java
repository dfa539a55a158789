/**
 * Routes of harness sessions. Entry point: {@link org.berth.harness.rest.SessionResource}. May use the session services; holds
 * no rule. Source: api.md, harness routes.
 */
package org.berth.harness.rest;
