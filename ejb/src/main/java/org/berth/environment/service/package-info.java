/**
 * Operations on contained environments: create, attach, inspect, project, validate, export, unbind. Orchestrating beans
 * run without a transaction and call the steps of {@link org.berth.environment.service.EnvironmentJournal}, each in a
 * transaction of its own; drivers are asked between them. Row locks are taken in the order binding, work item, grant.
 *
 * <p><b>A launch</b> is built on these: {@link org.berth.environment.service.EnvironmentReader#forNode} finds the binding
 * of a seat; {@link org.berth.environment.service.LaunchJournal#claimNode} gives it to its node; {@link
 * org.berth.environment.service.LaunchJournal#saved} finds a launch that is to be reconciled before anything is written;
 * {@link org.berth.environment.service.LaunchJournal#requireNoExecution} is the fence; {@link
 * org.berth.environment.service.ProjectionService#project} and {@link
 * org.berth.environment.service.ProjectionService#validate} bring and prove the files, which {@code
 * BindingRecord.projection} lists; {@link org.berth.environment.service.LaunchJournal#intend}, {@code revise}, {@code
 * claim} (which registers the generation in its own transaction) and {@code confirm} journal the operation {@code
 * launch-GENERATION}.
 *
 * <p><b>An effect</b> of another kind uses {@link org.berth.environment.service.EnvironmentJournal#intend}, {@code claim},
 * {@code release} and {@code confirm}; a step of its own, such as a receipt together with a changed binding, goes
 * through {@link org.berth.environment.service.EnvironmentJournal#step}.
 *
 * <p>Depends on the domain, the store, the drivers' selection and the host's services.
 */
package org.berth.environment.service;
