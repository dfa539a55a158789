/**
 * Activity and work credentials, and the recording of what hooks post. Entry points: {@link
 * org.berth.activity.service.ActivityGrantService}, {@link org.berth.activity.service.WorkGrantService}, {@link
 * org.berth.activity.service.HookIngest}, {@link org.berth.activity.service.ActivityService}. May use domain and
 * persistence.
 */
package org.berth.activity.service;
