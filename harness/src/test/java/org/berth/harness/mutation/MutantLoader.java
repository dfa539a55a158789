package org.berth.harness.mutation;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/**
 * Loads the classes that the laws are about, and their tests, anew, those of a mutant in place of the compiled ones, so that a property runs over the
 * mutant while the test libraries stay the ones of this process.
 */
final class MutantLoader extends ClassLoader {
    private static final List<String> OWN = List.of("org.berth.harness.", "org.berth.process.", "org.berth.files.");

    private final Map<String, byte[]> mutants;

    MutantLoader(Map<String, byte[]> mutants) {
        super(MutantLoader.class.getClassLoader());
        this.mutants = mutants;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (OWN.stream().noneMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = mutants.get(name);
        if (bytes == null) {
            try (InputStream compiled = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (compiled == null) {
                    throw new ClassNotFoundException(name);
                }
                bytes = compiled.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
        return defineClass(name, bytes, 0, bytes.length);
    }
}
