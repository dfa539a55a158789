/**
 * Workdir preparers around a launch: which are authorised, their recorded plans, their setup before the child and their
 * cleanup after it. Entry point: {@link org.berth.preparer.service.Preparers}. Uses the domain's preparers, drivers and
 * placement, the store of placement, the host, and placement's authority over directories.
 */
package org.berth.preparer.service;
