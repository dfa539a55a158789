package org.berth.placement.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.driver.DriverDefinition;
import org.berth.driver.DriverProfile;
import org.berth.placement.CanonicalJson;
import org.berth.placement.LaunchMode;
import org.berth.placement.service.AgentRuns;
import org.junit.jupiter.api.Test;

class DriverResourceTest {
    private static DriverDefinition definition(DriverDefinition.LoginFile login) {
        return new DriverDefinition(
                "x",
                "7",
                "x-agent",
                Map.of("batch", new DriverProfile("batch", LaunchMode.PIPES, DriverProfile.Input.STDIN_EOF, true)),
                Map.of("X_HOME", ".x"),
                login,
                List.of(),
                List.of(".x/private"),
                Set.of("--model", "--effort"));
    }

    @Test
    void a_driver_is_told_with_where_its_program_is() {
        DriverDefinition.LoginFile login = new DriverDefinition.LoginFile(".x/login", List.of("~/.x/login"));
        assertThat(CanonicalJson.write(DriverResource.view(new AgentRuns.Installed(definition(login), "/bin/x-agent"))))
                .isEqualTo(
                        "{\"executable\":\"x-agent\",\"found\":\"/bin/x-agent\",\"home_variables\":{\"X_HOME\":\".x\"},"
                                + "\"login_file\":\".x/login\",\"name\":\"x\",\"profiles\":[{\"edits\":true,"
                                + "\"input\":\"stdin_eof\",\"mode\":\"pipes\",\"name\":\"batch\"}],"
                                + "\"reserved_options\":[\"--effort\",\"--model\"]}");
    }

    @Test
    void a_program_that_is_not_there_and_a_login_that_is_none_are_null() {
        Map<String, Object> view = DriverResource.view(new AgentRuns.Installed(definition(null), null));
        assertThat(view).containsEntry("found", null).containsEntry("login_file", null);
    }
}
