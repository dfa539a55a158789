package org.berth.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerMountTest {
    private static final Path HOME = Path.of("/srv/berth/placement/attempts/k/home");

    private static ContainerMount read(String path) {
        return new ContainerMount(path, Path.of(path), false);
    }

    private static void refused(List<ContainerMount> mounts, String... words) {
        assertThatThrownBy(() -> ContainerMount.plan(HOME, mounts))
                .isInstanceOf(BerthException.class)
                .hasMessageContainingAll(words)
                .extracting(e -> ((BerthException) e).code())
                .isEqualTo(ProblemCode.INVALID);
    }

    @Provide
    Arbitrary<List<ContainerMount>> mounts() {
        Arbitrary<String> name = Arbitraries.of("a", "b", "c");
        return name.list()
                .ofMinSize(1)
                .ofMaxSize(3)
                .map(names -> read("/srv/" + String.join("/", names)))
                .list()
                .ofMaxSize(6);
    }

    @Property
    void a_plan_holds_every_mount_once_and_none_inside_another(@ForAll("mounts") List<ContainerMount> mounts) {
        boolean apart = IntStream.range(0, mounts.size())
                .allMatch(i -> IntStream.range(0, i)
                        .noneMatch(j -> mounts.get(i)
                                        .path()
                                        .startsWith(mounts.get(j).path())
                                || mounts.get(j).path().startsWith(mounts.get(i).path())));
        if (!apart) {
            refused(mounts, "overlap");
            return;
        }
        List<ContainerMount> plan = ContainerMount.plan(HOME, mounts);
        assertThat(plan.getFirst()).isEqualTo(new ContainerMount("home", HOME, true));
        assertThat(plan.subList(1, plan.size())).isEqualTo(mounts);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/srv/berth/placement/attempts/k/home",
                "/srv/berth/placement/attempts/k/home/below",
                "/srv/berth",
            })
    void nothing_may_hold_the_home_or_lie_in_it(String path) {
        refused(List.of(read(path)), "home", "overlap");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/usr",
                "/etc",
                "/tmp",
                "/proc",
                "/proc/1",
                "/sys/fs",
                "/dev",
                "/dev/shm",
                "/run",
                "/srv/../etc",
                "/srv/a:b",
                "/srv/a,b",
            })
    void the_system_of_the_image_is_not_mounted_over(String path) {
        refused(List.of(read(path)), "cannot be mounted");
    }

    @Test
    void a_directory_below_those_of_the_image_may_be_mounted() {
        assertThat(ContainerMount.plan(HOME, List.of(read("/tmp/work"), read("/usr/share/data"))))
                .hasSize(3);
    }

    @Test
    void fifteen_beside_the_home_are_the_most() {
        List<ContainerMount> mounts = new ArrayList<>();
        for (int i = 0; i < ContainerMount.MOST; i++) {
            mounts.add(read("/srv/" + i));
        }
        assertThat(ContainerMount.plan(HOME, mounts)).hasSize(16);
        mounts.add(read("/srv/more"));
        refused(mounts, "at most 15");
    }
}
