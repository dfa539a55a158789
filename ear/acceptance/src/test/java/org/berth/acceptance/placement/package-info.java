/** Acceptance tests of launches in containers, on the assembled server with a real rootless engine. */
package org.berth.acceptance.placement;
