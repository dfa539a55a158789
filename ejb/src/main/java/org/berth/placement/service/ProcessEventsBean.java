package org.berth.placement.service;

import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.berth.fault.FaultPoint;
import org.berth.placement.ProcessEvent;
import org.berth.process.adapter.ProcessEventListener;
import org.jboss.ejb3.annotation.ResourceAdapter;

/**
 * What the supervisor journalled becomes evidence: one event, one transaction, acknowledged by the adapter only after
 * this returned. Carries no caller.
 */
@MessageDriven(messageListenerInterface = ProcessEventListener.class)
@ResourceAdapter("berth")
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class ProcessEventsBean implements ProcessEventListener {
    private static final Logger LOG = Logger.getLogger(ProcessEventsBean.class.getName());

    @Inject
    private EventRecorder recorder;

    @Inject
    private Recovery recovery;

    @Override
    public void onEvent(ProcessEvent event) {
        recorder.record(event);
        FaultPoint.EVENT_COMMITTED.hit();
    }

    @Override
    public void onSupervisorConnected(String incarnation) {
        LOG.info("supervisor " + incarnation + " is connected");
        recovery.supervisorConnected();
    }

    @Override
    public void onSupervisorLost(String incarnation) {
        LOG.log(Level.WARNING, "supervisor {0} is lost; its children go on", incarnation);
    }
}
