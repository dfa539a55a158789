/**
 * Strict reading and plain writing of JSON for the edge and the store. Entry points: {@link org.berth.json.StrictJson},
 * {@link org.berth.json.JsonText}. May use JSON-P and the domain's problems.
 */
package org.berth.json;
