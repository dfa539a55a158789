package org.berth.harness.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.berth.harness.setup.model.SetupModel.Found;
import org.berth.harness.setup.model.SetupModel.Host;
import org.berth.harness.setup.model.SetupModel.Makes;
import org.berth.harness.setup.model.SetupModel.Python;
import org.berth.harness.setup.model.SetupModel.Ran;

/** The laws of the kernel environment. Source: the harness reference, kernel environment, 1 to 4. */
class SetupLawsTest {
    private static final int TRIES = 120;

    /** All that anyone asks of a kernel environment. */
    enum Ask {
        SESSION,
        INSTALL,
        CHECK;

        void of(KernelEnvironment kernels) throws IOException {
            switch (this) {
                case SESSION -> kernels.ensure();
                case INSTALL -> kernels.install(step -> {});
                case CHECK -> kernels.check();
            }
        }
    }

    @Provide
    Arbitrary<Host> hosts() {
        return Combinators.combine(
                        Arbitraries.of(false, false, false, true),
                        Arbitraries.of(Found.class),
                        Arbitraries.of(false, true),
                        Arbitraries.of(true, true, true, false),
                        Arbitraries.of(Makes.class).optional(0.4))
                .as(Host::new);
    }

    @Property(tries = TRIES)
    void kernel_session_never_downloads(@ForAll("hosts") Host host) throws IOException {
        try (SetupWorld world = new SetupWorld(host, false)) {
            world.kernels().ensure();
            assertThat(world.uvRuns).allMatch(argv -> argv.contains("--offline"));
        }
    }

    @Property(tries = TRIES)
    void kernel_download_only_on_install(@ForAll("hosts") Host host, @ForAll Ask ask) throws IOException {
        try (SetupWorld world = new SetupWorld(host, false)) {
            ask.of(world.kernels());
            boolean downloads = world.ran().stream().anyMatch(Ran::fetches);
            assertThat(downloads && ask != Ask.INSTALL).isFalse();
            assertThat(ask == Ask.CHECK && !world.uvRuns.isEmpty()).isFalse();
        }
    }

    @Property(tries = TRIES)
    void kernel_fetch_verified_before_use(@ForAll("hosts") Host host) throws IOException {
        try (SetupWorld world = new SetupWorld(host, false)) {
            Python python = SetupWorld.python(world.kernels().install(step -> {}));
            List<Ran> ran = world.ran();
            assertThat(ran).filteredOn(Ran::fetches).allMatch(Ran::hashed);
            boolean failed = host.failing()
                    .filter(makes -> ran.stream().anyMatch(each -> each.makes() == makes))
                    .isPresent();
            if (!ran.isEmpty()) {
                assertThat(python == Python.VENV).isEqualTo(!failed);
                assertThat(world.found() == Found.CHECKED).isEqualTo(!failed);
            }
            if (!ran.isEmpty() && python == Python.VENV) {
                assertThat(ran.getLast()).isEqualTo(new Ran(Makes.CHECK, false, false));
            }
        }
    }

    @Property(tries = TRIES)
    void kernel_setup_runs(@ForAll("hosts") Host any) throws IOException {
        Host host = new Host(false, any.found(), any.hostWillDo(), true, Optional.empty());
        try (SetupWorld world = new SetupWorld(host, false)) {
            KernelPython python = world.kernels().ensure();
            boolean plain = host.found() == Found.NONE && host.hostWillDo();
            assertThat(SetupWorld.python(python)).isEqualTo(plain ? Python.HOST : Python.VENV);
            assertThat(world.found()).isEqualTo(plain ? Found.NONE : Found.CHECKED);
        }
    }

    @Property(tries = TRIES)
    void kernel_install_fetches(@ForAll("hosts") Host any) throws IOException {
        Host host = new Host(false, any.found(), any.hostWillDo(), true, Optional.empty());
        try (SetupWorld world = new SetupWorld(host, false)) {
            world.kernels().install(step -> {});
            List<Makes> fetched =
                    world.ran().stream().filter(Ran::fetches).map(Ran::makes).toList();
            assertThat(fetched)
                    .isEqualTo(host.found() == Found.CHECKED ? List.of() : List.of(Makes.PYTHON, Makes.PACKAGES));
            world.uvRuns.clear();
            world.kernels().install(step -> {});
            assertThat(world.uvRuns).isEmpty();
        }
    }

    @Property(tries = TRIES)
    void kernel_missing_spares_tools(@ForAll("hosts") Host any, @ForAll boolean throwing) throws IOException {
        Host host = new Host(false, any.found(), false, any.uv(), any.failing());
        try (SetupWorld world = new SetupWorld(host, throwing)) {
            Files.writeString(world.root.resolve("home/session"), "open");
            // an answer, not an exception: whoever asks for a kernel goes on
            KernelPython python = world.kernels().ensure();
            assertThat(python).isNotNull();
            assertThat(world.root.resolve("home/session")).hasContent("open");
            assertThat(world.files.bootstrapLock()).doesNotExist();
        }
    }

    @Property(tries = TRIES)
    void kernel_missing_names_install(@ForAll("hosts") Host any) throws IOException {
        Host host = new Host(false, any.found(), any.hostWillDo(), any.uv(), any.failing());
        try (SetupWorld world = new SetupWorld(host, false)) {
            if (world.kernels().ensure() instanceof KernelPython.Missing missing) {
                assertThat(missing.sentence())
                        .isEqualTo("The Python kernel is not installed: run berth kernel install once");
                assertThat(missing.reason()).isNotBlank().doesNotContain("\n");
            }
        }
    }
}
