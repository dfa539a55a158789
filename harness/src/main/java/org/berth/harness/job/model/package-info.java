/** The rules of jobs as pure data: their end, waits on them, and what a rewind stops. */
package org.berth.harness.job.model;
