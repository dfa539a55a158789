package org.berth.host;

import java.util.Map;

/** Where a secret comes from. Holds a name or a path, never the secret. */
public sealed interface SecretSource {
    /** A variable of the server's own environment. */
    record FromEnvironment(String name) implements SecretSource {}

    /** A file of mode 0600; {@code path} is absolute or starts with {@code ~/}. */
    record FromFile(String path) implements SecretSource {}

    /** An alias in an Elytron credential store. */
    record FromCredentialStore(String store, String alias) implements SecretSource {}

    /** The source as {@code host.yaml} writes it: {@code {env: NAME}}, {@code {file: PATH}} or {@code {store:, alias:}}. */
    default Map<String, Object> toTree() {
        return switch (this) {
            case FromEnvironment(String name) -> Map.of("env", name);
            case FromFile(String path) -> Map.of("file", path);
            case FromCredentialStore(String store, String alias) -> Map.of("store", store, "alias", alias);
        };
    }
}
