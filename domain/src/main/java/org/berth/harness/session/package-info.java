/**
 * What is kept of a harness session: the session itself, the tree of its entries, its committed documents and the two
 * records of each tool call. Entry point: {@link org.berth.harness.session.HarnessSession}. Depends on java.base only.
 */
package org.berth.harness.session;
