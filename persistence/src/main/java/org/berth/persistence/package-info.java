/**
 * Brings the database to the schema of this release before the entities are validated against it. Entry point: {@code
 * MigrationIntegrator}, found by Hibernate. Depends on Hibernate's integrator contract and Flyway.
 */
package org.berth.persistence;
