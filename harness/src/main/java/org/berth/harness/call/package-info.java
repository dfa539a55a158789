/**
 * Tool calls: two records each, and progress that lives in memory between them. Entry points: {@link
 * org.berth.harness.call.ToolCalls} (starts calls), {@link org.berth.harness.call.ProgressBoard} (what observers see).
 * Uses java.base and the output package; {@code model} holds the same rules as pure data.
 */
package org.berth.harness.call;
