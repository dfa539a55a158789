package org.berth.process.adapter;

import jakarta.resource.NotSupportedException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ActivationSpec;
import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.ConfigProperty;
import jakarta.resource.spi.Connector;
import jakarta.resource.spi.ResourceAdapter;
import jakarta.resource.spi.ResourceAdapterInternalException;
import jakarta.resource.spi.TransactionSupport.TransactionSupportLevel;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import java.io.IOException;
import java.io.Serializable;
import java.util.Objects;
import javax.transaction.xa.XAResource;
import org.jboss.jca.core.spi.statistics.Statistics;

/**
 * The border to the processes of this host. Starting it returns at once; a long work connects to the supervisors, or
 * starts one, and tries for ever. The properties are read when the adapter starts.
 */
@Connector(
        displayName = "Berth processes",
        description = "Launches and watches commands through the supervisor program",
        vendorName = "Berth",
        eisType = "Operating system processes",
        version = "1.0",
        transactionSupport = TransactionSupportLevel.NoTransaction)
public class ProcessResourceAdapter implements ResourceAdapter, Statistics, Serializable {
    /** The value of a property whose default depends on the host. */
    static final String DEFAULT = "default";

    private static final long serialVersionUID = 1L;

    @ConfigProperty(defaultValue = "", description = "BERTH_HOME: the absolute path of the state root")
    private String stateRoot = "";

    @ConfigProperty(
            defaultValue = DEFAULT,
            description = "Directory of the supervisors' sockets; default: $TMPDIR or /tmp, berth-<uid>/<instance>")
    private String socketDirectory = DEFAULT;

    @ConfigProperty(defaultValue = "", description = "Directory with berth-supervisor.jar, lib and java.args")
    private String supervisorDistribution = "";

    @ConfigProperty(
            defaultValue = DEFAULT,
            description = "Java launcher of the supervisor; default: the one that runs this server")
    private String javaCommand = DEFAULT;

    @ConfigProperty(defaultValue = "16384", description = "Largest output chunk in bytes")
    private Integer chunkBytes = 16_384;

    @ConfigProperty(defaultValue = "262144", description = "Unacknowledged output kept per attempt, in bytes")
    private Integer spoolBytes = 262_144;

    @ConfigProperty(defaultValue = "16", description = "Chunks sent and not acknowledged, per attempt")
    private Integer outstandingChunks = 16;

    @ConfigProperty(defaultValue = "2000", description = "Longest wait for a fence, in milliseconds")
    private Integer fenceMillis = 2_000;

    @ConfigProperty(
            defaultValue = "3000",
            description = "Time after which a log acknowledges alone again, in milliseconds")
    private Integer takeoverMillis = 3_000;

    @ConfigProperty(
            defaultValue = "5000",
            description = "Longest wait for a supervisor to listen and to answer the hello, in milliseconds")
    private Integer connectMillis = 5_000;

    @ConfigProperty(
            defaultValue = "15000",
            description = "Longest wait for an answer, in milliseconds; not below the longest start_ms in use")
    private Integer requestMillis = 15_000;

    @ConfigProperty(defaultValue = "50", description = "First pause between two tries to connect, in milliseconds")
    private Integer reconnectMinMillis = 50;

    @ConfigProperty(defaultValue = "5000", description = "Longest pause between two tries to connect, in milliseconds")
    private Integer reconnectMaxMillis = 5_000;

    @ConfigProperty(defaultValue = "4", description = "Events delivered at once; always one at a time per attempt")
    private Integer deliveryLanes = 4;

    private transient volatile AdapterRuntime runtime;

    @Override
    public void start(BootstrapContext context) throws ResourceAdapterInternalException {
        try {
            AdapterSettings settings = AdapterSettingsResolver.resolve(this, System.getenv());
            runtime = AdapterRuntime.start(context, settings, System.getenv());
        } catch (IllegalArgumentException | IOException | ResourceException e) {
            throw new ResourceAdapterInternalException("The process adapter cannot start: " + e.getMessage(), e);
        }
    }

    /** The supervisors and their children go on. */
    @Override
    public void stop() {
        AdapterRuntime current = runtime;
        runtime = null;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public void endpointActivation(MessageEndpointFactory factory, ActivationSpec spec) throws ResourceException {
        if (!(spec instanceof ProcessEventActivation activation)) {
            throw new NotSupportedException("This adapter knows only " + ProcessEventActivation.class.getName());
        }
        activation.validate();
        running().activate(factory, activation);
    }

    @Override
    public void endpointDeactivation(MessageEndpointFactory factory, ActivationSpec spec) {
        AdapterRuntime current = runtime;
        if (current != null) {
            current.deactivate(factory);
        }
    }

    @Override
    public XAResource[] getXAResources(ActivationSpec[] specs) {
        return new XAResource[0];
    }

    /** @throws IllegalStateException when the adapter is not started */
    Ports ports() {
        return running().ports();
    }

    @Override
    public AdapterStatistics getStatistics() {
        return running().statistics();
    }

    private AdapterRuntime running() {
        AdapterRuntime current = runtime;
        if (current == null) {
            throw new IllegalStateException("the process adapter is not started");
        }
        return current;
    }

    public String getStateRoot() {
        return stateRoot;
    }

    public void setStateRoot(String stateRoot) {
        this.stateRoot = stateRoot;
    }

    public String getSocketDirectory() {
        return socketDirectory;
    }

    public void setSocketDirectory(String socketDirectory) {
        this.socketDirectory = socketDirectory;
    }

    public String getSupervisorDistribution() {
        return supervisorDistribution;
    }

    public void setSupervisorDistribution(String supervisorDistribution) {
        this.supervisorDistribution = supervisorDistribution;
    }

    public String getJavaCommand() {
        return javaCommand;
    }

    public void setJavaCommand(String javaCommand) {
        this.javaCommand = javaCommand;
    }

    public Integer getChunkBytes() {
        return chunkBytes;
    }

    public void setChunkBytes(Integer chunkBytes) {
        this.chunkBytes = chunkBytes;
    }

    public Integer getSpoolBytes() {
        return spoolBytes;
    }

    public void setSpoolBytes(Integer spoolBytes) {
        this.spoolBytes = spoolBytes;
    }

    public Integer getOutstandingChunks() {
        return outstandingChunks;
    }

    public void setOutstandingChunks(Integer outstandingChunks) {
        this.outstandingChunks = outstandingChunks;
    }

    public Integer getFenceMillis() {
        return fenceMillis;
    }

    public void setFenceMillis(Integer fenceMillis) {
        this.fenceMillis = fenceMillis;
    }

    public Integer getTakeoverMillis() {
        return takeoverMillis;
    }

    public void setTakeoverMillis(Integer takeoverMillis) {
        this.takeoverMillis = takeoverMillis;
    }

    public Integer getConnectMillis() {
        return connectMillis;
    }

    public void setConnectMillis(Integer connectMillis) {
        this.connectMillis = connectMillis;
    }

    public Integer getRequestMillis() {
        return requestMillis;
    }

    public void setRequestMillis(Integer requestMillis) {
        this.requestMillis = requestMillis;
    }

    public Integer getReconnectMinMillis() {
        return reconnectMinMillis;
    }

    public void setReconnectMinMillis(Integer reconnectMinMillis) {
        this.reconnectMinMillis = reconnectMinMillis;
    }

    public Integer getReconnectMaxMillis() {
        return reconnectMaxMillis;
    }

    public void setReconnectMaxMillis(Integer reconnectMaxMillis) {
        this.reconnectMaxMillis = reconnectMaxMillis;
    }

    public Integer getDeliveryLanes() {
        return deliveryLanes;
    }

    public void setDeliveryLanes(Integer deliveryLanes) {
        this.deliveryLanes = deliveryLanes;
    }

    /** Two adapters are equal when they serve the same state root through the same directory. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ProcessResourceAdapter that
                && Objects.equals(stateRoot, that.stateRoot)
                && Objects.equals(socketDirectory, that.socketDirectory);
    }

    @Override
    public int hashCode() {
        return Objects.hash(stateRoot, socketDirectory);
    }
}
