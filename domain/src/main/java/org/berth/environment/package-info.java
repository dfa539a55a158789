/**
 * Contained environments: the binding of one seat to one environment, the journalled operations on it and the port to
 * its drivers. Entry points: {@link org.berth.environment.EnvironmentDriver} and {@link
 * org.berth.environment.EnvironmentRules}. Pure decisions: {@link org.berth.environment.IntentRules},
 * {@link org.berth.environment.CreateReconciliation}, {@link org.berth.environment.BindingRules}, {@link
 * org.berth.environment.ProjectionPlan} and {@link org.berth.environment.ArtifactContract}. Depends on java.base, {@code
 * org.berth.problem}, {@code org.berth.work} and the canonical text of {@code org.berth.placement} only.
 */
package org.berth.environment;
