/**
 * The hand-back as a rule over maps, without a file. Entry point: {@link org.berth.harness.workspace.model.HandBackModel}.
 * java.base only.
 */
package org.berth.harness.workspace.model;
