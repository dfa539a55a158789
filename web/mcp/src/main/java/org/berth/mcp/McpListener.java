package org.berth.mcp;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapperSupplier;
import io.modelcontextprotocol.json.schema.jackson3.JacksonJsonSchemaValidatorSupplier;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStatelessServerTransport;
import io.modelcontextprotocol.spec.McpSchema;
import jakarta.inject.Inject;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.annotation.WebListener;
import java.util.Map;

/**
 * Builds the MCP server over Streamable HTTP. It keeps no session: each call stands for itself under its grant, and a
 * restart of the server ends nobody's work. Tools run on the request's own thread.
 */
@WebListener
public class McpListener implements ServletContextListener {
    /** The one path of the listener. */
    static final String PATH = "/mcp";

    /** The name of the scope in a call's context. */
    static final String SCOPE = "scope";

    private static final int MAX_REQUEST_BYTES = 1 << 20;

    @Inject
    private RigTools tools;

    private McpStatelessSyncServer server;

    @Override
    public void contextInitialized(ServletContextEvent event) {
        McpJsonMapper mapper = new JacksonMcpJsonMapperSupplier().get();
        HttpServletStatelessServerTransport transport = HttpServletStatelessServerTransport.builder()
                .jsonMapper(mapper)
                .messageEndpoint(PATH)
                .maxRequestSize(MAX_REQUEST_BYTES)
                .contextExtractor(request ->
                        McpTransportContext.create(Map.of(SCOPE, request.getAttribute(WorkGrantFilter.SCOPE))))
                .build();
        server = McpServer.sync(transport)
                .serverInfo("berth", version())
                .instructions("Your seat's work: rig_whoami says who you are, rig_queue_list what waits for you.")
                .capabilities(
                        McpSchema.ServerCapabilities.builder().tools(false).build())
                .jsonMapper(mapper)
                .jsonSchemaValidator(new JacksonJsonSchemaValidatorSupplier().get())
                .immediateExecution(true)
                .tools(tools.specifications(mapper))
                .build();
        ServletRegistration.Dynamic servlet = event.getServletContext().addServlet("mcp", transport);
        servlet.setAsyncSupported(true);
        servlet.addMapping(PATH);
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        if (server != null) {
            server.close();
        }
    }

    private static String version() {
        String version = org.berth.activity.WorkScope.class.getPackage().getImplementationVersion();
        return version == null ? "0" : version;
    }
}
