/**
 * What happened, told to clients. Entry point for other features: {@link org.berth.event.Announcements}. Depends on
 * java.base only.
 */
package org.berth.event;
