/**
 * The one bound of every output: of a tool call, a cell and a job. Entry points: {@link
 * org.berth.harness.output.Truncation} (the setting), {@link org.berth.harness.output.OutputBuffer} (kept and counted),
 * {@link org.berth.harness.output.BoundedOutput} (the full output in a file past the bound). Uses java.base only; {@code
 * model} holds the same rules as pure data.
 */
package org.berth.harness.output;
