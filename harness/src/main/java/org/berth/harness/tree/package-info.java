/**
 * Files of a tree, reached from an open directory one name at a time; no link is ever followed, so that a directory which
 * is swapped for a link leads nowhere. Entry point: {@link org.berth.harness.tree.Directory}. java.base only.
 */
package org.berth.harness.tree;
