package org.berth.acceptance.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Makes the stand-in agent one executable file: a shell head that runs the archive behind it. */
public final class AgentPrograms {
    private static final String HEAD = "#!/bin/sh\nexec /opt/openrig/bin/java -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
            + " -Dberth.agent=claude -jar \"$0\" \"$@\"\n";

    private AgentPrograms() {}

    public static void standIn(Path file) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, StandInAgent.class.getName());
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        String path = StandInAgent.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(archive, manifest);
                InputStream bytes = StandInAgent.class.getClassLoader().getResourceAsStream(path)) {
            jar.putNextEntry(new JarEntry(path));
            bytes.transferTo(jar);
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(HEAD.getBytes(StandardCharsets.UTF_8));
        archive.writeTo(whole);
        Files.write(file, whole.toByteArray());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
