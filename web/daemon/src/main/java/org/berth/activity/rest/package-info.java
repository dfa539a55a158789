/**
 * Routes of activity: hooks, what seats do, and the grants of activity and work. Entry point: {@link
 * org.berth.activity.rest.ActivityResource}.
 */
package org.berth.activity.rest;
