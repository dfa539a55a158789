/** The routes of contained environments. Entry point: {@link org.berth.environment.rest.EnvironmentResource}. May use the services and the domain. */
package org.berth.environment.rest;
