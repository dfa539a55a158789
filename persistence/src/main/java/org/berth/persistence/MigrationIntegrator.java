package org.berth.persistence;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/**
 * Migrates the schema while Hibernate starts, before {@code hbm2ddl.auto=validate} looks at it. The data source is the
 * one that Hibernate itself was given, in the server and outside it.
 *
 * <p>Other tables may live in the same schema (the batch job repository does), hence the baseline 0.
 */
public final class MigrationIntegrator implements Integrator {
    /** Found and made by Hibernate through its service file. */
    public MigrationIntegrator() {}

    @Override
    public void integrate(Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
        DataSource dataSource = factory.getServiceRegistry()
                .requireService(ConnectionProvider.class)
                .unwrap(DataSource.class);
        Flyway.configure(MigrationIntegrator.class.getClassLoader())
                .dataSource(dataSource)
                .locations("classpath:db/migration/common", "classpath:db/migration/" + dialectFolder(dataSource))
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
    }

    @Override
    public void disintegrate(SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {
        // The schema outlives the factory.
    }

    private static String dialectFolder(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            return switch (product.toLowerCase(Locale.ROOT)) {
                case "h2" -> "h2";
                case "postgresql" -> "postgresql";
                default -> throw new IllegalStateException("Berth stores in H2 or PostgreSQL, not in " + product);
            };
        } catch (SQLException e) {
            throw new IllegalStateException("the database of BerthDS does not answer", e);
        }
    }
}
