package org.berth.environment.driver;

import java.nio.file.Path;
import java.util.List;

/** The host files below one directory, admitted as host.yaml would. */
public final class TestFiles extends EnvironmentFiles {
    private final AdmittedRoots roots;

    public TestFiles(Path root) {
        roots = new AdmittedRoots(List.of(root));
    }

    @Override
    public byte[] read(String path) {
        return roots.read(path);
    }

    @Override
    public Path directory(String path) {
        return roots.directory(path);
    }

    @Override
    public Path madeDirectory(String path) {
        return roots.madeDirectory(path);
    }
}
