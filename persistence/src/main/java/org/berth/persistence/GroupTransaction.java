package org.berth.persistence;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The transaction border of {@link GroupCommit}, a bean of its own so that the container draws it. */
@ApplicationScoped
public class GroupTransaction implements GroupCommit.Border {
    @Resource(lookup = "java:jboss/datasources/BerthDS")
    private DataSource source;

    @Override
    @Transactional(value = Transactional.TxType.REQUIRES_NEW, rollbackOn = Throwable.class)
    public void inTransaction(GroupCommit.Batch batch) throws SQLException {
        try (Connection connection = source.getConnection()) {
            batch.run(connection);
        }
    }
}
