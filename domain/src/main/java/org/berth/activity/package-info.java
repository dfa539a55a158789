/**
 * Activity grants and what guests report under them. Entry points: {@link org.berth.activity.ActivityGrants} and {@link
 * org.berth.activity.WorkGrants}. Depends on java.base, {@code org.berth.problem}, {@code org.berth.rig} and {@code org.berth.work} only.
 */
package org.berth.activity;
