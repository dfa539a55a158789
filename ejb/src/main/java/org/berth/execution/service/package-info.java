/**
 * The batch executions of the server, for operators. Entry point: {@link
 * org.berth.execution.service.BatchExecutions}. May use the batch runtime's tables, this host, and the jobs that can be
 * restarted.
 */
package org.berth.execution.service;
