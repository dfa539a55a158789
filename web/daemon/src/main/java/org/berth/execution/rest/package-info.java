/**
 * The routes of batch executions. Entry point: {@link org.berth.execution.rest.BatchExecutionResource}. May use the
 * service of executions and the listener's helpers.
 */
package org.berth.execution.rest;
