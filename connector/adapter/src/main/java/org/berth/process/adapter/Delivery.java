package org.berth.process.adapter;

import org.berth.placement.ProcessEvent;

/** One call of the listener. */
sealed interface Delivery {
    record Event(ProcessEvent event) implements Delivery {}

    record Connected(String incarnation) implements Delivery {}

    record Lost(String incarnation) implements Delivery {}
}
