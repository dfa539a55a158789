package org.berth.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.berth.driver.shipped.AgyDriver;
import org.berth.driver.shipped.ClaudeDriver;
import org.berth.driver.shipped.CodexDriver;
import org.berth.driver.shipped.GrokDriver;
import org.berth.driver.shipped.OpenCodeDriver;
import org.berth.json.StrictJson;
import org.berth.placement.LaunchMode;
import org.berth.problem.BerthException;
import org.junit.jupiter.api.Test;

/** What holds for every shipped driver, whatever the policy and the prompt say. Source: placement.md, Drivers. */
class DriverRulesTest {
    /** A driver in one of its profiles. */
    record Use(AgentDriver driver, String profile) {}

    @Property(tries = 300)
    void renderingIsPureBoundedAndStaysInsideTheHome(@ForAll("uses") Use use, @ForAll("inputs") DriverInputs any) {
        DriverInputs inputs = fitting(use, any);
        Delivery delivery = use.driver().render(inputs);
        assertThat(use.driver().render(inputs)).isEqualTo(delivery);
        assertThat(Delivery.of(delivery.toTree())).isEqualTo(delivery);
        DriverDefinition definition = use.driver().definition();
        List<String> setUp = use.driver().initialisers(Samples.seed(true, true, true)).stream()
                .map(SetupFile::path)
                .toList();
        for (DeliveredFile file : delivery.files()) {
            Path path = Samples.HOME.resolve(file.path()).normalize();
            assertThat(path).startsWithRaw(Samples.HOME).isNotEqualTo(Samples.HOME);
            assertThat(file.content().getBytes(StandardCharsets.UTF_8).length)
                    .isLessThanOrEqualTo(DeliveredFile.MOST_BYTES);
            assertThat(file.path()).isNotEqualTo(definition.loginFile().path()).isNotIn(setUp);
            assertThat(definition.privatePaths()).noneMatch(own -> file.path().startsWith(own + "/"));
        }
    }

    @Property(tries = 300)
    void noPromptIsReadAsAnOption(
            @ForAll("uses") Use use,
            @ForAll("prompts") String prompt,
            @ForAll boolean session,
            @ForAll boolean resume) {
        AgentRun run = new AgentRun(use.profile(), prompt, session ? Samples.CONVERSATION : null, session && resume);
        AgentCommand command = use.driver().command(run);
        DriverArguments.requireFree(use.driver().definition(), command.argv());
        List<String> asOptions = new ArrayList<>();
        for (String argument : command.argv()) {
            if (argument.equals("--")) {
                break;
            }
            asOptions.add(argument);
        }
        assertThat(asOptions).noneMatch(argument -> prompt.startsWith("-") && argument.startsWith(prompt));
        assertThat(command.argv().toString() + decoded(command.stdin())).contains(prompt);
    }

    /** The text of a session's line, or the input itself. */
    private static String decoded(String stdin) {
        if (stdin == null || !stdin.startsWith("{\"message\"")) {
            return String.valueOf(stdin);
        }
        return StrictJson.object(stdin.getBytes(StandardCharsets.UTF_8)).toString();
    }

    @Property(tries = 300)
    void instructionsArriveAsTheyAre(@ForAll("texts") String text) {
        DriverInputs inputs = new DriverInputs("batch", null, null, text, true, null, null, null, Samples.HOME);
        assertThat(new ClaudeDriver().render(inputs).arguments()).contains("--append-system-prompt=" + text);
        assertThat(new GrokDriver().render(inputs).arguments()).contains("--rules=" + text);
        assertThat(new CodexDriver().render(inputs).files().getFirst().content())
                .contains("developer_instructions = " + TomlText.value(text) + "\n");
        assertThat(new OpenCodeDriver().render(inputs).files())
                .contains(new DeliveredFile(".config/berth/berth.md", text));
        assertThat(new AgyDriver().render(inputs).files())
                .contains(new DeliveredFile("customization/.agents/rules/berth.md", text));
    }

    @Property(tries = 300)
    void namesComeBackFromJson(@ForAll("texts") String model) {
        DriverInputs inputs =
                new DriverInputs("batch", model, "high", null, true, "http://h/" + model, "K", null, Samples.HOME);
        Map<String, Object> config = StrictJson.object(
                new OpenCodeDriver().render(inputs).files().getFirst().content().getBytes(StandardCharsets.UTF_8));
        assertThat(config).containsEntry("model", "berth/" + model);
        assertThat(config.get("provider").toString()).contains("http://h/" + model);
        String settings = new ClaudeDriver().render(inputs).arguments().getFirst();
        assertThat(StrictJson.object(settings.substring("--settings=".length()).getBytes(StandardCharsets.UTF_8))
                        .get("env"))
                .isEqualTo(Map.of("ANTHROPIC_BASE_URL", "http://h/" + model));
    }

    @Test
    void aFileTooLargeIsRefused() {
        String most = "x".repeat(DeliveredFile.MOST_BYTES + 1);
        DriverInputs inputs = new DriverInputs("batch", null, null, most, true, null, null, null, Samples.HOME);
        for (AgentDriver driver : List.of(new CodexDriver(), new OpenCodeDriver(), new AgyDriver())) {
            assertThatThrownBy(() -> driver.render(inputs))
                    .isInstanceOf(BerthException.class)
                    .hasMessageContaining("8192 bytes");
        }
    }

    @Test
    void everyReservedOptionIsRefusedAndNamed() {
        for (AgentDriver driver : Samples.drivers()) {
            for (String option : driver.definition().reservedOptions()) {
                for (String spelling : List.of(option, option + "=x")) {
                    assertThatThrownBy(
                                    () -> DriverArguments.requireFree(driver.definition(), List.of("a", spelling, "x")))
                            .as(driver.definition().name() + " " + spelling)
                            .hasMessageContaining("launch.argv[1]");
                }
            }
        }
    }

    @Test
    void whatADriverPutsBeforeALaunchIsReserved() {
        for (AgentDriver driver : Samples.drivers()) {
            for (String profile : driver.definition().profiles().keySet()) {
                Delivery delivery = driver.render(Samples.full(profile, null));
                List<String> roots = driver.writableRoots(profile, true, List.of(Samples.WORK));
                Stream.concat(delivery.arguments().stream(), roots.stream())
                        .filter(argument -> argument.startsWith("-"))
                        .forEach(argument -> assertThatThrownBy(
                                        () -> DriverArguments.requireFree(driver.definition(), List.of(argument)))
                                .as(driver.definition().name() + " " + argument)
                                .isInstanceOf(BerthException.class));
            }
        }
    }

    @Test
    void tokensAndKeysAreVariablesEverywhere() {
        for (AgentDriver driver : Samples.drivers()) {
            String endpoint = driver instanceof AgyDriver ? null : "http://127.0.0.1:9";
            Delivery delivery = driver.render(Samples.full("batch", endpoint));
            assertThat(delivery.toTree().toString())
                    .contains("BERTH_TOOLS_TOKEN")
                    .containsPattern("(Bearer \\$?\\{(env:)?BERTH_TOOLS_TOKEN}|_var = \"BERTH_TOOLS_TOKEN\")");
        }
    }

    @Test
    void everyProfileIsOfItsNameAndAnUnknownOneIsRefused() {
        for (AgentDriver driver : Samples.drivers()) {
            DriverDefinition definition = driver.definition();
            definition
                    .profiles()
                    .forEach((name, profile) -> assertThat(profile.name()).isEqualTo(name));
            assertThat(definition.profiles()).containsKeys("batch", "window");
            assertThat(definition.profile("window").mode()).isEqualTo(LaunchMode.WINDOW);
            assertThatThrownBy(() -> driver.render(Samples.plain("other"))).isInstanceOf(BerthException.class);
            assertThatThrownBy(() -> driver.command(Samples.run("other", "hi"))).isInstanceOf(BerthException.class);
            assertThatThrownBy(() -> driver.command(Samples.run("batch", null))).isInstanceOf(BerthException.class);
        }
    }

    @Test
    void everyPathOfADriverStaysInsideTheHome() {
        for (AgentDriver driver : Samples.drivers()) {
            DriverDefinition definition = driver.definition();
            List<String> paths = new ArrayList<>(definition.homeVariables().values());
            paths.add(definition.loginFile().path());
            paths.addAll(definition.privatePaths());
            driver.initialisers(Samples.seed(true, true, true)).forEach(file -> paths.add(file.path()));
            assertThat(paths).allMatch(DeliveredFile::isInside);
            assertThat(definition.loginFile().sources()).isNotEmpty().allMatch(source -> source.startsWith("~/"));
        }
    }

    @Provide
    Arbitrary<Use> uses() {
        return Arbitraries.of(Samples.drivers().stream()
                .flatMap(driver ->
                        driver.definition().profiles().keySet().stream().map(profile -> new Use(driver, profile)))
                .toList());
    }

    @Provide
    Arbitrary<DriverInputs> inputs() {
        Arbitrary<DriverInputs.Gateway> gateways =
                Arbitraries.of(Samples.GATEWAY, new DriverInputs.Gateway("http://127.0.0.1:1/mcp", "T", null, null));
        return Combinators.combine(
                        texts().injectNull(0.2),
                        Arbitraries.of("low", "high").injectNull(0.2),
                        texts().injectNull(0.2),
                        Arbitraries.of(true, false),
                        Arbitraries.of("http://127.0.0.1:9/v1").injectNull(0.5),
                        gateways.injectNull(0.3))
                .as((model, effort, instructions, edits, endpoint, gateway) -> new DriverInputs(
                        "batch",
                        model,
                        effort,
                        instructions,
                        edits,
                        endpoint,
                        endpoint == null ? null : "KEY",
                        gateway,
                        Samples.HOME));
    }

    /** The inputs without what a driver refuses in its profile. */
    private static DriverInputs fitting(Use use, DriverInputs inputs) {
        boolean endpoint = inputs.model() != null && !(use.driver() instanceof AgyDriver);
        return new DriverInputs(
                use.profile(),
                inputs.model(),
                inputs.effort(),
                inputs.instructions(),
                inputs.edits(),
                endpoint ? inputs.endpoint() : null,
                endpoint ? inputs.keyVariable() : null,
                inputs.gateway(),
                inputs.home());
    }

    @Provide
    Arbitrary<String> prompts() {
        return Combinators.combine(
                        Arbitraries.of(
                                "", "-", "--", "--model ", "--model=", "-m", "-c=", "--add-dir=", "exec", "@", "/"),
                        texts())
                .as(String::concat);
    }

    /** What people write, and what formats choke on. */
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(
                        "a", "Z", "0", " ", "-", "=", "\"", "'", "\\", "\n", "\r", "\t", "\u0001", "\u007f", "{", "}",
                        "$", "${X}", "`", "#", "[", "]", "ü", "漢", "😀", "\u2028", "'''", "\"\"\"")
                .list()
                .ofMinSize(1)
                .ofMaxSize(40)
                .map(parts -> "x" + String.join("", parts));
    }
}
