package org.berth.environment.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.policy.NetworkEndpoint;
import org.berth.files.PrivateFiles;

/**
 * The guest's own /etc: names of its one user and of the host, and what programs need to load libraries and to check
 * certificates. Nothing else of the host's is in it. Source: environments.md, Secrets.
 */
final class GuestEtc {
    private static final List<String> OF_HOST = List.of(
            "ld.so.cache",
            "ssl/certs",
            "ssl/cert.pem",
            "ssl/openssl.cnf",
            "pki/ca-trust/extracted",
            "pki/tls/certs",
            "ca-certificates/extracted",
            "alternatives",
            "localtime",
            "mime.types");

    private GuestEtc() {}

    /** Makes the files in {@code directory} and answers all of /etc: path below it, and the file that is shown there. */
    static Map<String, Path> write(Path directory, String hostname) throws IOException {
        String user = GuestView.USER;
        int id = GuestView.UID;
        Map<String, String> own = Map.of(
                "passwd", user + ":x:" + id + ":" + id + ":" + user + ":" + EnvironmentRules.GUEST_ROOT + ":/bin/sh\n",
                "group", user + ":x:" + id + ":\n",
                "hosts", "127.0.0.1 localhost " + hostname + "\n127.0.0.1 " + NetworkEndpoint.GUEST_NAME_OF_HOST + "\n",
                "hostname", hostname + "\n",
                "resolv.conf", "",
                "nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n");
        PrivateFiles.directory(directory);
        Map<String, Path> etc = new TreeMap<>();
        for (Map.Entry<String, String> each : own.entrySet()) {
            Path file = directory.resolve(each.getKey());
            Files.writeString(file, each.getValue());
            etc.put(each.getKey(), file);
        }
        for (String name : OF_HOST) {
            Path file = Path.of("/etc").resolve(name);
            if (Files.isReadable(file)) {
                etc.put(name, file);
            }
        }
        return etc;
    }
}
