package org.berth.harness.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.problem.BerthException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelLaunchTest {
    private static final Path HOST = Path.of("/berth-no-such-directory");
    private static final KernelStart START = new KernelStart(
            HOST.resolve("project/sub"),
            HOST.resolve("runtime"),
            List.of(HOST.resolve("project/skill"), HOST.resolve("elsewhere")),
            Map.of("BERTH_SESSION", "s1"),
            Map.of("BERTH_BASH_SHELL", Path.of("/bin/bash"), "BERTH_STATE", HOST.resolve("project/state")),
            Map.of("LANG", "C.UTF-8", "SECRET", "x", "PYTHONPATH", "/given", "BERTH_KERNEL_OWNER", "stdin"),
            77);

    private static JsonObject json(String text) {
        return Json.createReader(new StringReader(text.replace('\'', '"'))).readObject();
    }

    private static KernelTransport.Wrapped wrapped(String more) {
        return TransportSetting.read(json("{'argvPrefix':['wrap','-i'],'pathMap':[{'sandbox':'/work','host':'" + HOST
                + "/project'}]" + more + "}"));
    }

    @Test
    void aLocalKernelHasTheHostsEnvironmentAndWatchesItsOwner() {
        KernelLaunch launch = KernelLaunch.of(new KernelTransport.Local("/venv/bin/python"), START);
        assertThat(launch.argv()).containsExactly("/venv/bin/python", "-m", "berth_kernel.repl");
        assertThat(launch.workingDirectory()).isEqualTo(START.workingDirectory());
        assertThat(launch.environment())
                .containsEntry("SECRET", "x")
                .containsEntry("BERTH_SESSION", "s1")
                .containsEntry("BERTH_BASH_SHELL", "/bin/bash")
                .containsEntry("BERTH_KERNEL_OWNER_PID", "77")
                .containsEntry("PYTHONPATH", HOST + "/project/skill:" + HOST + "/elsewhere:" + HOST + "/runtime:/given")
                .doesNotContainKey("BERTH_KERNEL_OWNER");
        assertThat(launch.diagnostics()).isEmpty();
    }

    @Test
    void aWrappedKernelGetsItsOwnEntriesTheNamedVariablesAndTheOwnersMark() {
        KernelLaunch launch = KernelLaunch.of(wrapped(",'env':['LANG','NOT_SET','BERTH_KERNEL_OWNER_PID']"), START);
        assertThat(launch.argv()).startsWith("wrap", "-i", "sh", "-c");
        assertThat(launch.argv().subList(5, launch.argv().size()))
                .containsExactly(
                        "berth-kernel",
                        "/work/sub",
                        "BERTH_KERNEL_OWNER=stdin",
                        "BERTH_SESSION=s1",
                        "BERTH_STATE=/work/state",
                        "LANG=C.UTF-8",
                        "PYTHONPATH=/work/skill",
                        "python3",
                        "-m",
                        "berth_kernel.repl");
        assertThat(launch.environment()).isEqualTo(START.hostEnvironment());
        assertThat(launch.kernelDirectory()).isEqualTo("/work/sub");
        assertThat(launch.diagnostics())
                .hasSize(2)
                .anyMatch(text -> text.startsWith("BERTH_BASH_SHELL is left out"))
                .anyMatch(text -> text.contains(HOST + "/elsewhere"));
    }

    @Test
    void theRuntimeIsTakenFromTheMountThatShowsItAndBeforeTheNamedPath() {
        KernelTransport.Wrapped transport = TransportSetting.read(
                json("{'argvPrefix':['wrap'],'env':['PYTHONPATH'],'pathMap':[{'sandbox':'/','host':'" + HOST + "'}]}"));
        assertThat(KernelLaunch.of(transport, START).argv())
                .contains("PYTHONPATH=/project/skill:/elsewhere:/runtime:/given");
    }

    @Test
    void aShellOnTheOtherSideGetsOneQuotedLine() {
        KernelLaunch launch = KernelLaunch.of(wrapped(",'command':'shell','python':'/opt/my python'"), START);
        assertThat(launch.argv()).hasSize(3);
        assertThat(launch.argv().getLast())
                .startsWith("'sh' '-c' ")
                .endsWith(" '/opt/my python' '-m' 'berth_kernel.repl'");
    }

    @Test
    void aWorkingDirectoryOutsideEveryMountStopsTheStart() {
        KernelStart outside =
                new KernelStart(HOST.resolve("elsewhere"), HOST, List.of(), Map.of(), Map.of(), Map.of(), 1);
        assertThatThrownBy(() -> KernelLaunch.of(wrapped(""), outside))
                .isInstanceOf(BerthException.class)
                .hasMessageContaining("outside every shared directory");
    }

    @Test
    void aHostPathIsTheKernelsOnlyWhereAMountHoldsIt() {
        assertThat(new KernelTransport.Local("python3").kernelPath(HOST)).contains(HOST.toString());
        assertThat(wrapped("").kernelPath(HOST.resolve("project/names"))).contains("/work/names");
        assertThat(wrapped("").kernelPath(HOST.resolve("state/names"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'argvPrefix':[]}",
                "{'argvPrefix':'docker'}",
                "{'argvPrefix':[5]}",
                "{'argvPrefix':['w'],'command':'exec'}",
                "{'argvPrefix':['w'],'python':'A=b'}",
                "{'argvPrefix':['w'],'python':''}",
                "{'argvPrefix':['w'],'env':['A=b']}",
                "{'argvPrefix':['w'],'pathMap':[{'sandbox':'/a'}]}",
                "{'argvPrefix':['w'],'pathMap':[{'sandbox':'a','host':'/b'}]}",
                "{'argvPrefix':['w'],'pathMap':[{'sandbox':'/a','host':'b'}]}",
                "{'argvPrefix':['w'],'pathMap':['/a']}",
                "{'argvPrefix':['w'],'more':1}"
            })
    void aSettingThatCouldStartNoKernelIsRefused(String setting) {
        assertThatThrownBy(() -> TransportSetting.read(json(setting))).isInstanceOf(BerthException.class);
    }
}
