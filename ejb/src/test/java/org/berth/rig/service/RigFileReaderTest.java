package org.berth.rig.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.berth.json.JsonText;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.RigSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RigFileReaderTest {
    private static final String MEMBER = "{id: one, agent_ref: \"local:agents/one\", runtime: command}";

    @Test
    void whatIsLeftOutHasItsDefault() {
        RigSpec spec = RigFileReader.yaml(file("pods: [{id: crew, members: [" + MEMBER + "]}]"));
        RigSpec.Member member = spec.pods().getFirst().members().getFirst();
        assertThat(member.profile()).isEqualTo("default");
        assertThat(member.cwd()).isEqualTo(".");
        assertThat(spec.edges()).isEmpty();
        assertThat(spec.memberIds()).containsExactly("crew.one");
        assertThat(spec.seat(spec.pods().getFirst(), member)).isEqualTo("crew-one@team");
    }

    @Test
    void aFileThatIsWrittenAsJsonIsReadTheSame() {
        RigSpec spec = RigFileReader.yaml(file("pods: [{id: crew, members: [" + MEMBER + "]}]"));
        assertThat(RigFileReader.json(JsonText.write(spec.tree()))).isEqualTo(spec);
    }

    @Test
    void jsonMayHoldTabsAndItsOwnEscapes() {
        String json = "{\t\"version\": \"0.2\",\n\t\"name\": \"team\",\n\t\"pods\": [{\"id\": \"crew\", \"members\":"
                + " [{\"id\": \"one\", \"agent_ref\": \"local:agents\\/one\", \"runtime\": \"command\"}]}]}";
        assertThat(RigFileReader.json(json)
                        .pods()
                        .getFirst()
                        .members()
                        .getFirst()
                        .agentRef())
                .isEqualTo("local:agents/one");
    }

    @Test
    void twoMembersWithOneSeatAreRefused() {
        String second = MEMBER.replace("id: one", "id: b-one");
        refused(
                file("pods: [{id: a-b, members: [" + MEMBER + "]}, {id: a, members: [" + second + "]}]"),
                "a-b-one@team");
    }

    @Test
    void limitsHold() {
        StringBuilder members = new StringBuilder();
        for (int i = 0; i <= RigSpec.MAX_MEMBERS; i++) {
            members.append(i == 0 ? "" : ", ").append(MEMBER.replace("one, agent", "m" + i + ", agent"));
        }
        refused(file("pods: [{id: crew, members: [" + members + "]}]"), "1 to 256 entries");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pods: []",
                "pods: {}",
                "pods: [{id: crew, members: []}]",
                "pods: [{id: crew}]",
                "pods: [{members: [" + MEMBER + "]}]",
                "pods: !!java.net.URL [x]",
                "pods: [{id: crew, members: [" + MEMBER + "]}]\nname: twice",
                "pods: [{id: 7, members: [" + MEMBER + "]}]"
            })
    void aWrongTeamIsRefusedWithItsPlace(String pods) {
        refused(file(pods), "line ");
    }

    @Test
    void anAliasOfAListIsRefused() {
        refused(file("pods: &a [*a]"), "without aliases");
    }

    @Test
    void aNameHasABound() {
        String long64 = "x".repeat(64);
        refused(file("pods: [{id: crew, members: [" + MEMBER + "]}]").replace("team", long64), "name must be");
    }

    private static String file(String pods) {
        return "version: \"0.2\"\nname: team\n" + pods + "\n";
    }

    private static void refused(String file, String sentence) {
        assertThatExceptionOfType(BerthException.class)
                .isThrownBy(() -> RigFileReader.yaml(file))
                .withMessageContaining(sentence)
                .satisfies(problem -> assertThat(problem.code()).isEqualTo(ProblemCode.RIG_FILE_INVALID));
    }
}
