/** The rules of bounded output as pure data: what must be kept of a whole output. */
package org.berth.harness.output.model;
