package org.berth.access.service;

import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.util.List;
import org.berth.access.ApiToken;
import org.berth.access.store.ApiTokenRepository;

/** The transaction border of the token of the first start, which no caller asks for. */
@Stateless
@TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
public class AccessLedger {
    @Inject
    private ApiTokenRepository tokens;

    public List<ApiToken> tokensOf(String ownerId) {
        return tokens.list(ownerId);
    }

    public void insert(ApiToken token) {
        tokens.insert(token);
    }
}
