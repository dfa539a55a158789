/**
 * The routes of placement: parse, name the caller, one call to a service. Entry points: {@link
 * org.berth.placement.rest.AttemptResource}, {@link org.berth.placement.rest.StreamEndpoint}.
 */
package org.berth.placement.rest;
