package org.berth.environment.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.json.StrictJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** The log of refused connections, as the supervisor writes it. */
public final class RefusalLog {
    private static final int MOST = 100;

    private RefusalLog() {}

    /** The newest 100, newest last, a sentence each. */
    public static List<String> sentences(Path log) {
        List<String> lines;
        try (Stream<String> all = Files.lines(log)) {
            lines = all.toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new BerthException(ProblemCode.STORAGE, "the log of refused connections cannot be read", e);
        }
        return sentences(lines);
    }

    /** The same for lines that were read already. */
    public static List<String> sentences(List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - MOST), lines.size()).stream()
                .flatMap(RefusalLog::sentence)
                .toList();
    }

    /** Nothing for a line that a crash cut. */
    private static Stream<String> sentence(String line) {
        try {
            Map<String, Object> refusal = StrictJson.object(line);
            return Stream.of(
                    refusal.get("at") + " " + refusal.get("host") + ":" + refusal.get("port") + " was refused: "
                            + ("not_listed".equals(refusal.get("reason"))
                                    ? "the policy does not list it."
                                    : "its name leads to addresses that are not public and not listed."));
        } catch (BerthException e) {
            return Stream.empty();
        }
    }
}
