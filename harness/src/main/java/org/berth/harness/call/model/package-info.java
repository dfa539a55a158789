/** The rules of tool calls as pure data: what is recorded, and what observers hear. */
package org.berth.harness.call.model;
