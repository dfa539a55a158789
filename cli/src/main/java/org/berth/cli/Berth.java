package org.berth.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.berth.cli.command.Commands;

/** The program {@code berth}. */
public final class Berth {
    private Berth() {}

    public static void main(String[] arguments) {
        System.exit(run(Surroundings.ofProcess(), arguments));
    }

    /** Runs one command. @return the program's exit code, see {@link ExitCodes} */
    public static int run(Surroundings surroundings, String... arguments) {
        if (arguments.length == 1 && (arguments[0].equals("--version") || arguments[0].equals("-V"))) {
            var text = surroundings.text();
            text.println("berth " + version());
            text.flush();
            return ExitCodes.DONE;
        }
        return Commands.line(surroundings, arguments).execute(arguments);
    }

    /** The version that this program was built as. */
    public static String version() {
        Properties properties = new Properties();
        try (InputStream in = Berth.class.getResourceAsStream("version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }
}
