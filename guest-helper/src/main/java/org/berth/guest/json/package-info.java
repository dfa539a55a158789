/** A small strict JSON, since the helper has java.base only. Entry: {@link org.berth.guest.json.Json}. */
package org.berth.guest.json;
