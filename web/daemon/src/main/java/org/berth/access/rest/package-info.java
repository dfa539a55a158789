/** The routes of tokens and of who the caller is. Entry point: {@link org.berth.access.rest.TokenResource}. */
package org.berth.access.rest;
