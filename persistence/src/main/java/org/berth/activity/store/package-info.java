/**
 * The durable store of activity grants, work grants and recorded hook posts. Entry points: {@code
 * ActivityGrantRepository}, {@code WorkGrantRepository}, {@code ActivityEventRepository}. Entities never leave this
 * package. Depends on {@code org.berth.activity} and Jakarta Persistence.
 */
package org.berth.activity.store;
