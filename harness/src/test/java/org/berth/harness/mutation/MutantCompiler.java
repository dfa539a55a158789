package org.berth.harness.mutation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles one source text in memory, against the classes of this process. */
final class MutantCompiler implements AutoCloseable {
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        private Source(String path, String text) {
            super(URI.create("mutant:///" + path), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** The classes of {@code text} by their names. */
    Map<String, byte[]> compile(String path, String text) {
        Map<String, ByteArrayOutputStream> written = new HashMap<>();
        JavaFileManager memory = new ForwardingJavaFileManager<>(files) {
            @Override
            public JavaFileObject getJavaFileForOutput(
                    Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
                return new SimpleJavaFileObject(URI.create("mutant:///" + name + ".class"), kind) {
                    @Override
                    public OutputStream openOutputStream() {
                        return written.computeIfAbsent(name, any -> new ByteArrayOutputStream());
                    }
                };
            }
        };
        StringWriter said = new StringWriter();
        boolean compiled = compiler.getTask(
                        said,
                        memory,
                        null,
                        List.of("-proc:none", "-parameters", "-classpath", System.getProperty("java.class.path")),
                        null,
                        List.of(new Source(path, text)))
                .call();
        if (!compiled) {
            throw new IllegalStateException("the mutant of " + path + " does not compile: " + said);
        }
        Map<String, byte[]> classes = new HashMap<>();
        written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
        return classes;
    }

    @Override
    public void close() throws IOException {
        files.close();
    }
}
