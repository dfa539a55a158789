/** What people see: tables, colours, local times, progress lines. Entry point: {@code Tables}. */
package org.berth.cli.output;
