/** Named points at which a crash can be provoked. Entry point: {@link org.berth.fault.FaultPoint}. java.base only. */
package org.berth.fault;
