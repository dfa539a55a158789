package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.cli.command.Commands;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** docs/cli.md describes exactly the commands that there are, each with examples that parse. */
class DocumentationTest {
    private static final Pattern EXAMPLE = Pattern.compile("### (berth [a-z -]+)\n```\n(.*?)```", Pattern.DOTALL);

    private final CommandLine berth = Commands.all(new Surroundings(
            Map.of(),
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            new PrintStream(OutputStream.nullOutputStream()),
            false,
            false,
            false));

    private static List<CommandLine> leaves(CommandLine line) {
        List<CommandLine> leaves = new ArrayList<>();
        if (line.getSubcommands().isEmpty()) {
            leaves.add(line);
        }
        line.getSubcommands().values().forEach(each -> leaves.addAll(leaves(each)));
        return leaves;
    }

    private static String document() throws IOException {
        return Files.readString(Path.of(System.getProperty("berth.root"), "docs", "cli.md"));
    }

    @Test
    void every_command_has_a_section_and_every_section_a_command() throws IOException {
        List<String> sections =
                EXAMPLE.matcher(document()).results().map(each -> each.group(1)).toList();

        assertThat(sections)
                .containsExactlyInAnyOrderElementsOf(leaves(berth).stream()
                        .map(each -> each.getCommandSpec().qualifiedName())
                        .toList());
    }

    @Test
    void every_example_is_of_its_section_and_is_understood() throws IOException {
        Matcher sections = EXAMPLE.matcher(document());
        while (sections.find()) {
            String name = sections.group(1);
            assertThat(sections.group(2).lines()).isNotEmpty().allSatisfy(line -> {
                assertThat(line).contains(name);
                String arguments =
                        line.substring(line.indexOf(name) + "berth ".length()).replace(")", "");
                berth.parseArgs(arguments.split(" "));
            });
        }
    }

    @Test
    void every_command_has_help_with_examples_and_json() {
        assertThat(leaves(berth)).allSatisfy(each -> {
            assertThat(each.getCommandSpec().optionsMap()).containsKeys("--json", "--help");
            assertThat(each.getUsageMessage())
                    .contains("Examples:", each.getCommandSpec().qualifiedName());
        });
    }
}
