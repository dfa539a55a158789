package org.berth.access.security;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import org.berth.access.ApiToken;
import org.berth.access.IssuedToken;
import org.berth.access.Role;
import org.berth.access.Tokens;
import org.berth.files.PrivateFiles;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The first token, so that whoever can read the state root can begin: {@value #NAME}, mode 0600. */
public final class OwnerTokenFile {
    /** The file's name in the state root. */
    public static final String NAME = "owner.token";

    /** The owner id of who installed Berth. */
    public static final String OWNER_ID = "owner";

    private OwnerTokenFile() {}

    /**
     * Issues a token of {@value #OWNER_ID} with the roles operator and owner and writes it, when that owner has no operator token that
     * holds. The file is durable before the row: a crash between the two leaves a dead token, which the next call
     * replaces, never a row whose secret nobody has.
     *
     * @param known the owner's tokens
     * @param insert records the new one in a transaction of its own
     * @return whether a token was issued
     * @throws BerthException STORAGE when the file cannot be written
     */
    public static boolean ensure(Path stateRoot, List<ApiToken> known, Consumer<ApiToken> insert) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
        for (ApiToken token : known) {
            if (token.roles().contains(Role.OPERATOR) && token.holds(now)) {
                return false;
            }
        }
        IssuedToken issued = Tokens.issue(
                new SecureRandom(), OWNER_ID, EnumSet.of(Role.OPERATOR, Role.OWNER), "first start", now, null);
        try {
            PrivateFiles.write(stateRoot.resolve(NAME), issued.text() + "\n");
        } catch (IOException e) {
            throw new BerthException(
                    ProblemCode.STORAGE, stateRoot.resolve(NAME) + " cannot be written: check the state root", e);
        }
        insert.accept(issued.token());
        return true;
    }
}
