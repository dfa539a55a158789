/** The rules of the frame gate as pure data, without bytes: what the gate must answer to lines of a known kind. */
package org.berth.harness.frame.model;
