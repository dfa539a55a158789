/**
 * The batch jobs of placement. Entry point: {@link org.berth.placement.batch.PlacementSweep}, run by the job {@code
 * placement-sweep}. May use domain.
 */
package org.berth.placement.batch;
