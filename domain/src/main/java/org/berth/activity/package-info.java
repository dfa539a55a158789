/**
 * Activity grants and what guests report under them. Entry points: {@link org.berth.activity.ActivityGrants} and {@link
 * org.berth.activity.WorkGrants}. Depends on java.base and {@code org.berth.problem} only.
 */
package org.berth.activity;
