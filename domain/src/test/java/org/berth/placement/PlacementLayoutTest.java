package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementLayoutTest {
    private final PlacementLayout layout = new PlacementLayout(Path.of("/state/placement"));

    @Test
    void homes_and_output_lie_below_the_root_under_their_keys() {
        String key = AttemptKeys.attempt("owner", "attempt-1");
        assertThat(layout.attemptHome(key)).isEqualTo(Path.of("/state/placement/attempts/" + key + "/home"));
        assertThat(layout.sessionHome(key)).isEqualTo(Path.of("/state/placement/sessions/" + key + "/home"));
        assertThat(layout.outputDirectory(key)).isEqualTo(Path.of("/state/placement/output/" + key));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "..", "../../etc", "0123456789abcdef0123456789abcde", "0123456789ABCDEF0123456789ABCDEF"})
    void what_is_no_derived_key_names_no_directory(String key) {
        assertThatThrownBy(() -> layout.attemptHome(key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> layout.sessionHome(key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> layout.outputDirectory(key)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_relative_root_is_refused() {
        assertThatThrownBy(() -> new PlacementLayout(Path.of("placement")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Property(tries = 300)
    void keys_are_stable_shaped_and_distinct(
            @ForAll @AlphaChars @StringLength(min = 1, max = 9) String owner,
            @ForAll @AlphaChars @StringLength(min = 1, max = 9) String id) {
        String key = AttemptKeys.attempt(owner, id);
        assertThat(key).isEqualTo(AttemptKeys.attempt(owner, id)).matches("[0-9a-f]{32}");
        assertThat(AttemptKeys.isKey(key)).isTrue();
        assertThat(AttemptKeys.session(owner, id)).isNotEqualTo(key);
        assertThat(AttemptKeys.attempt(owner + id.charAt(0), id.substring(1))).isNotEqualTo(key);
        assertThat(AttemptKeys.attempt(owner, id + "x")).isNotEqualTo(key);
    }
}
