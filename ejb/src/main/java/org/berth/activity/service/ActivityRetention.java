package org.berth.activity.service;

import jakarta.ejb.Schedule;
import jakarta.ejb.Singleton;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import org.berth.activity.store.ActivityEventRepository;

/** Keeps guests from filling the disk: of the recorded posts the newest {@value #KEEP} stay. */
@Singleton
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class ActivityRetention {
    static final long KEEP = 200_000;

    @Inject
    private ActivityEventRepository events;

    @Schedule(hour = "*", minute = "*", persistent = false)
    void trim() {
        events.trim(KEEP);
    }
}
