package org.berth.work;

/**
 * A work item that is done was written: it was closed, or noted afterwards. Told in the transaction; observers act on it
 * after the commit only.
 */
public record WorkSettled(String qitemId) {}
