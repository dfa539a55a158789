/**
 * What may be removed once the host's retention is over, and the port of the job that removes it. Entry points: {@link
 * org.berth.retention.OperationRetention} for the rules, {@link org.berth.retention.Retention} for the job. Depends on
 * the records of environments.
 */
package org.berth.retention;
