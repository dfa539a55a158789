package org.berth.placement.service;

import org.berth.placement.ProcessEvent;

/**
 * Whoever starts supervised processes that are no attempts, under keys and nonces of its own. Implemented by CDI beans;
 * every one of them is asked about an event whose key no attempt has.
 */
public interface ProcessOwner {
    /**
     * Takes note of the event, outside of any transaction. An event may come again and must then change nothing; what
     * is thrown makes it come again.
     *
     * @return whether the key is this owner's; an event that nobody owns is dropped with a warning
     */
    boolean observe(ProcessEvent event);
}
