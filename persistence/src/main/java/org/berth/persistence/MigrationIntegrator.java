package org.berth.persistence;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
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
        Product product = product(dataSource);
        Flyway.configure(MigrationIntegrator.class.getClassLoader())
                .dataSource(dataSource)
                .locations("classpath:db/migration/common", "classpath:db/migration/" + product.folder)
                .placeholders(Map.of("text", product.text))
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
    }

    @Override
    public void disintegrate(SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {
        // The schema outlives the factory.
    }

    private static Product product(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            String name = connection.getMetaData().getDatabaseProductName();
            return switch (name) {
                case "H2" -> Product.H2;
                case "PostgreSQL" -> Product.POSTGRESQL;
                default -> throw new IllegalStateException("Berth stores in H2 or PostgreSQL, not in " + name);
            };
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not answer", e);
        }
    }

    /** Where the databases differ: the folder of their own migrations, and the type of a long text. */
    private enum Product {
        // H2's text is a varchar of at most 1 MiB.
        H2("h2", "clob"),
        POSTGRESQL("postgresql", "text");

        private final String folder;
        private final String text;

        Product(String folder, String text) {
            this.folder = folder;
            this.text = text;
        }
    }
}
