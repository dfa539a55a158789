package org.berth.credential.service;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.berth.files.PrivateFiles;
import org.berth.json.JsonText;

/**
 * Whose login a home has. Written once its seed is complete. Source: placement.md, retained home seed.
 *
 * @param provider the driver's name
 * @param revision the revision of the driver's definition
 * @param projection the login's projection; null for none
 * @param optional whether the projection may be absent
 * @param sourceDigest sha256 of what the login's source held when it was last in step with the home; null while no login
 *     was projected
 */
record ProviderMarker(String provider, String revision, String projection, boolean optional, String sourceDigest) {
    static ProviderMarker of(Seed seed) {
        return new ProviderMarker(
                seed.home().definition().name(),
                seed.home().definition().revision(),
                seed.projection(),
                seed.optional(),
                seed.login() == null ? null : seed.login().digest());
    }

    ProviderMarker withSource(String digest) {
        return new ProviderMarker(provider, revision, projection, optional, digest);
    }

    /** Empty when the home was never seeded to its end. @throws org.berth.problem.BerthException STORAGE */
    static Optional<ProviderMarker> read(Path file) {
        return HomeRecords.read(file).map(tree -> {
            HomeRecords.requireKeys(tree, "provider", "revision", "projection", "optional", "source_sha256");
            return new ProviderMarker(
                    HomeRecords.text(tree, "provider"),
                    HomeRecords.text(tree, "revision"),
                    HomeRecords.textOrNull(tree, "projection"),
                    HomeRecords.flag(tree, "optional"),
                    HomeRecords.textOrNull(tree, "source_sha256"));
        });
    }

    void write(Path file) throws IOException {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("provider", provider);
        tree.put("revision", revision);
        tree.put("projection", projection);
        tree.put("optional", optional);
        tree.put("source_sha256", sourceDigest);
        PrivateFiles.write(file, JsonText.write(tree));
    }
}
