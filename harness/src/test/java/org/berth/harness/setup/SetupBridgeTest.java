package org.berth.harness.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.harness.setup.model.SetupModel;
import org.berth.harness.setup.model.SetupModel.Found;
import org.berth.harness.setup.model.SetupModel.Host;
import org.berth.harness.setup.model.SetupModel.Makes;
import org.junit.jupiter.api.Test;

/** The setup and its model, over every host that the model tells apart. */
class SetupBridgeTest {
    /** Every host there is, with every command failing: 288 hosts. */
    @Test
    void theRealSetupIsTheModels() throws IOException {
        for (boolean named : List.of(false, true)) {
            for (boolean hostWillDo : List.of(false, true)) {
                for (boolean uv : List.of(false, true)) {
                    for (Found found : Found.values()) {
                        for (SetupModel.Who who : SetupModel.Who.values()) {
                            for (Optional<Makes> failing : failures()) {
                                equal(who, new Host(named, found, hostWillDo, uv, failing));
                            }
                        }
                    }
                }
            }
        }
    }

    private static List<Optional<Makes>> failures() {
        return Stream.concat(
                        Stream.of(Optional.<Makes>empty()),
                        Stream.of(Makes.values()).map(Optional::of))
                .toList();
    }

    private static void equal(SetupModel.Who who, Host host) throws IOException {
        try (SetupWorld world = new SetupWorld(host, false)) {
            KernelPython python = who == SetupModel.Who.SESSION
                    ? world.kernels().ensure()
                    : world.kernels().install(step -> {});
            SetupModel.End real = new SetupModel.End(world.ran(), SetupWorld.python(python), world.found());
            assertThat(real).as(who + " " + host).isEqualTo(SetupModel.run(who, host));
            if (python instanceof KernelPython.Ready(Path program, PythonOrigin _)) {
                assertThat(program).isExecutable();
            }
        }
    }
}
