/**
 * Files for a kernel: {@code fs.read}, {@code fs.write}, {@code fs.edit}, {@code fs.grep} and {@code fs.glob}, inside the
 * shared directories only. Entry point: {@link org.berth.harness.files.FileRequests}. Uses the harness' tree and ignore
 * rules, and JSON-P.
 *
 * <p>Every request names paths from its {@code cwd} (a host path), every reply names the host's path in {@code absolute}
 * (and {@code destination}). Fields in brackets may be left out.
 *
 * <pre>
 * fs.read   path [offset: first line, from 1] [limit: lines]
 *           path absolute text firstLine lines totalLines bytes truncated [nextOffset]
 * fs.write  path text
 *           path absolute bytes created
 * fs.edit   sections: [{path [edits: [{oldText newText [all]}]] [destination]}]; or one section's fields themselves
 *           sections: [{path absolute replaced bytes [destination]}]
 * fs.grep   pattern [path] [glob] [ignoreCase] [literal] [limit: matches]
 *           absolute matches: [{path line column text}] files skipped truncated [stopped: matches, time or bytes]
 * fs.glob   pattern [path] [limit: paths]
 *           absolute paths, the newest first, truncated
 * </pre>
 *
 * <p>A section of {@code fs.edit} replaces each {@code oldText}, which must stand in the file exactly once unless {@code all}
 * is true, in the order given, and then moves the file to {@code destination} where it has one, a path that is free. All
 * sections are checked before the first file changes. {@code fs.grep} and {@code fs.glob} look at tracked and not ignored
 * files, follow no link, and skip what is not UTF-8 text or too large.
 */
package org.berth.harness.files;
