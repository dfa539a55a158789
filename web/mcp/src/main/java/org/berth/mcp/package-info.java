/**
 * The MCP listener: seats coordinate under their work grants. Entry points: {@link org.berth.mcp.McpListener} builds the
 * server, {@link org.berth.mcp.WorkGrantFilter} proves each call, {@link org.berth.mcp.RigTools} are the tools. May use
 * domain and the services.
 */
package org.berth.mcp;
