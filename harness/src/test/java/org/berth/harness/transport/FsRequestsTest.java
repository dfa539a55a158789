package org.berth.harness.transport;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FsRequestsTest {
    @TempDir
    Path given;

    Path root;
    FsRequests requests;

    @BeforeEach
    void oneMount() throws IOException {
        root = given.toRealPath();
        requests = new FsRequests(new PathMap(List.of(new Mount("/work", root))), "/work");
    }

    private static JsonObject json(String text) {
        return Json.createReader(new StringReader(text.replace('\'', '"'))).readObject();
    }

    private JsonObject mapped(String text) {
        return ((FsRequests.Outcome.Mapped) requests.toHost(json(text))).data();
    }

    @Test
    void theWorkingDirectoryAndEveryPathArriveAsHostPaths() {
        JsonObject data = mapped(
                "{'type':'fs.edit','cwd':'/work/sub','path':'a','destination':'/work/b',"
                        + "'edits':[{'old':'1','new':'2','path':'../c'}],'sections':[{'path':'d','destination':'e'}],'paths':['f']}");
        assertThat(data.getString("cwd")).isEqualTo(root.resolve("sub").toString());
        assertThat(data.getString("path")).isEqualTo(root.resolve("sub/a").toString());
        assertThat(data.getString("destination")).isEqualTo(root.resolve("b").toString());
        assertThat(data.getJsonArray("edits").getJsonObject(0).getString("path"))
                .isEqualTo(root.resolve("c").toString());
        assertThat(data.getJsonArray("sections").getJsonObject(0).getString("destination"))
                .isEqualTo(root.resolve("sub/e").toString());
        assertThat(data.getJsonArray("paths").getString(0))
                .isEqualTo(root.resolve("sub/f").toString());
        assertThat(data.getJsonArray("edits").getJsonObject(0).getString("old")).isEqualTo("1");
    }

    @Test
    void aRequestWithoutAWorkingDirectoryHasTheKernels() {
        JsonObject data = mapped("{'type':'fs.read','path':'a','limit':5}");
        assertThat(data.getString("cwd")).isEqualTo(root.toString());
        assertThat(data.getString("path")).isEqualTo(root.resolve("a").toString());
        assertThat(data.getInt("limit")).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'fs.read','path':'/etc/passwd'}",
                "{'type':'fs.read','path':'~/x'}",
                "{'type':'fs.read','path':'../x'}",
                "{'type':'fs.read','cwd':'/etc','path':'/work/x'}",
                "{'type':'fs.edit','path':'a','destination':'/b'}",
                "{'type':'fs.edit','path':'a','edits':[{'path':'/b'}]}",
                "{'type':'fs.edit','sections':[{'path':'a','destination':'/b'}]}",
                "{'type':'fs.grep','pattern':'x','paths':['a','/b']}",
                "{'type':'fs.glob','pattern':'/etc/*'}",
                "{'type':'fs.glob','pattern':'../*'}",
                "{'type':'fs.glob','pattern':'{a,../b}/*'}",
                "{'type':'fs.glob','pattern':'~/*'}",
                "{'type':'fs.glob','pattern':'/work/*/../../../etc/*'}"
            })
    void aPathOutsideIsRefusedWithItsReasonAndTheRulesVersion(String request) {
        assertThat(requests.toHost(json(request))).isInstanceOfSatisfying(FsRequests.Outcome.Refused.class, refused -> {
            assertThat(refused.error().reason()).isEqualTo("outside");
            JsonObject reply = refused.error().details();
            assertThat(reply.getString("kind")).isEqualTo("FsError");
            assertThat(reply.getString("version")).isEqualTo("transport@1");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'fs.read','path':5}",
                "{'type':'fs.read','cwd':null,'path':'a'}",
                "{'type':'fs.grep','paths':'a'}",
                "{'type':'fs.glob','path':'a'}"
            })
    void whatIsNoPathIsRefusedAsInvalid(String request) {
        assertThat(requests.toHost(json(request)))
                .isInstanceOfSatisfying(
                        FsRequests.Outcome.Refused.class,
                        refused -> assertThat(refused.error().reason()).isEqualTo("invalid"));
    }

    @Test
    void anAbsolutePatternIsTakenApartIntoItsDirectoryAndTheRest() {
        JsonObject data = mapped("{'type':'fs.glob','pattern':'/work/src/*/a.py','path':'ignored'}");
        assertThat(data.getString("path")).isEqualTo(root.resolve("src").toString());
        assertThat(data.getString("pattern")).isEqualTo("*/a.py");
        assertThat(mapped("{'type':'fs.glob','pattern':'**/*.{a,b}'}").getString("pattern"))
                .isEqualTo("**/*.{a,b}");
    }

    @Test
    void aLinkOutIsRefused() throws IOException {
        Files.createSymbolicLink(root.resolve("out"), Path.of("/etc"));
        assertThat(requests.toHost(json("{'type':'fs.read','path':'out/passwd'}")))
                .isInstanceOf(FsRequests.Outcome.Refused.class);
    }

    @Test
    void aReplysPathsAreTheSandboxsAndOthersAreHidden() {
        JsonObject result = Json.createObjectBuilder()
                .add("absolute", root.resolve("a").toString())
                .add("text", root.toString())
                .add(
                        "files",
                        Json.createArrayBuilder()
                                .add(Json.createObjectBuilder()
                                        .add("destination", root.resolve("b").toString()))
                                .add(Json.createObjectBuilder().add("absolute", "/etc/passwd")))
                .build();
        JsonObject mapped = requests.toSandbox(result).asJsonObject();
        assertThat(mapped.getString("absolute")).isEqualTo("/work/a");
        assertThat(mapped.getString("text")).isEqualTo(root.toString());
        assertThat(mapped.getJsonArray("files").getJsonObject(0).getString("destination"))
                .isEqualTo("/work/b");
        assertThat(mapped.getJsonArray("files").getJsonObject(1).get("absolute"))
                .isEqualTo(JsonValue.NULL);
    }
}
