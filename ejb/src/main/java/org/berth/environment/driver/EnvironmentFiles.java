package org.berth.environment.driver;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.files.PrivateFiles;
import org.berth.host.service.Host;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The host files that requests name by path: policies, projected sources, work connections, directories of returned
 * artifacts. Only what lies below the roots of host.yaml, or below {@code environments/files} of the state root, is
 * touched, and what Berth itself ships. Source: environments.md, Attribution.
 */
@ApplicationScoped
public class EnvironmentFiles {
    @Inject
    private Host host;

    /**
     * The bytes of one regular file of at most 1 MiB, no link followed.
     *
     * @throws BerthException invalid_environment_path, environment_path_denied, environment_symlink,
     *     invalid_environment_file, environment_file_changed
     */
    public byte[] read(String path) {
        return roots().read(path);
    }

    /**
     * The physical path of an existing directory, no link below its root followed.
     *
     * @throws BerthException invalid_environment_path, environment_path_denied, environment_symlink,
     *     invalid_environment_file
     */
    public Path directory(String path) {
        return roots().directory(path);
    }

    /** As {@link #directory}; what is missing of it is made, private. */
    public Path madeDirectory(String path) {
        return roots().madeDirectory(path);
    }

    private AdmittedRoots roots() {
        List<Path> roots = new ArrayList<>();
        roots.add(own());
        roots.add(ShippedFiles.root());
        host.policy().environments().roots().forEach(root -> roots.add(Path.of(root)));
        return new AdmittedRoots(roots);
    }

    /** The state root's own directory for such files, made at its first use. */
    private Path own() {
        try {
            Path environments = PrivateFiles.directory(host.stateRoot().resolve("environments"));
            return PrivateFiles.directory(environments.resolve("files"));
        } catch (IOException e) {
            throw new BerthException(ProblemCode.STORAGE, "the state root cannot be written", e);
        }
    }
}
