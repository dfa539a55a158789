package org.berth.process.adapter;

import jakarta.resource.spi.Activation;
import jakarta.resource.spi.ActivationSpec;
import jakarta.resource.spi.ConfigProperty;
import jakarta.resource.spi.InvalidPropertyException;
import jakarta.resource.spi.ResourceAdapter;
import java.io.Serializable;

/** How a message-driven bean wants its events. */
@Activation(messageListeners = ProcessEventListener.class)
public class ProcessEventActivation implements ActivationSpec, Serializable {
    private static final long serialVersionUID = 1L;

    /** Pause before the first repetition of a failed delivery, in milliseconds; doubles with each further failure. */
    @ConfigProperty(defaultValue = "100")
    private Integer retryMinMillis = 100;

    /** The longest pause between two repetitions, in milliseconds. */
    @ConfigProperty(defaultValue = "10000")
    private Integer retryMaxMillis = 10_000;

    private transient ResourceAdapter resourceAdapter;

    @Override
    public void validate() throws InvalidPropertyException {
        if (retryMinMillis == null || retryMaxMillis == null || retryMinMillis < 1 || retryMaxMillis < retryMinMillis) {
            throw new InvalidPropertyException(
                    "retryMinMillis must be at least 1 and retryMaxMillis not below it; they are " + retryMinMillis
                            + " and " + retryMaxMillis);
        }
    }

    public Integer getRetryMinMillis() {
        return retryMinMillis;
    }

    public void setRetryMinMillis(Integer retryMinMillis) {
        this.retryMinMillis = retryMinMillis;
    }

    public Integer getRetryMaxMillis() {
        return retryMaxMillis;
    }

    public void setRetryMaxMillis(Integer retryMaxMillis) {
        this.retryMaxMillis = retryMaxMillis;
    }

    @Override
    public ResourceAdapter getResourceAdapter() {
        return resourceAdapter;
    }

    @Override
    public void setResourceAdapter(ResourceAdapter resourceAdapter) {
        this.resourceAdapter = resourceAdapter;
    }
}
