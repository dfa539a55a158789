package org.berth.web;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** The description of every route: as YAML, as JSON, and as a page. */
@Path("/openapi")
public class OpenApiResource {
    private static final String YAML = "application/yaml";
    /** The page needs its own style and nothing else. */
    private static final String PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

    @GET
    @Produces(YAML + ";qs=1")
    public String yaml() {
        return ApiDescription.text();
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON + ";qs=0.5")
    public JsonTree json() {
        return new JsonTree(ApiDescription.tree());
    }

    @GET
    @Path("ui")
    @Produces(MediaType.TEXT_HTML + ";charset=UTF-8")
    public Response page() {
        return Response.ok(ApiPage.render(ApiDescription.tree()))
                .header("Content-Security-Policy", PAGE_POLICY)
                .build();
    }
}
