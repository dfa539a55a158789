package org.berth.host.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.berth.host.SecretBytes;
import org.berth.host.SecretSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretReaderTest {
    private static final String CANARY = "canary-4711-secret";
    private static final SecretSource KEY = new SecretSource.FromFile("~/keys/one");

    @TempDir
    private Path given;

    private Path home;
    private SecretReader reader;

    @BeforeEach
    void aHome() throws IOException {
        home = Files.createDirectories(given.toRealPath().resolve("home/keys")).getParent();
        reader = new SecretReader(home, Map.of("TOKEN", CANARY, "EMPTY", "", "NUL", "a\0b")::get);
    }

    private Path key(String text, String mode) throws IOException {
        Path file = Files.writeString(home.resolve("keys/one"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private String unusable(SecretSource source) {
        assertThat(reader.read(source)).isEmpty();
        String why = ((Fetched.Unusable) reader.fetch(source, 16)).why();
        assertThat(why).doesNotContain(CANARY).doesNotContain(home.toString());
        return why;
    }

    @Test
    void a_variable_is_read_and_one_without_a_value_is_absent() {
        assertThat(reader.read(new SecretSource.FromEnvironment("TOKEN"))).contains(CANARY);
        assertThat(reader.read(new SecretSource.FromEnvironment("NUL"))).isEmpty();
        for (String name : new String[] {"EMPTY", "NONE"}) {
            SecretSource source = new SecretSource.FromEnvironment(name);
            assertThat(reader.read(source)).isEmpty();
            assertThat(reader.fetch(source, 16)).isEqualTo(new Fetched.Absent());
            assertThat(reader.look(source, 16)).isEqualTo(new Fetched.Absent());
        }
    }

    @Test
    void a_private_file_is_read_and_loses_its_line_end_as_text_only() throws IOException {
        key("abc\n", "rw-------");
        assertThat(reader.read(KEY)).contains("abc");
        assertThat(((Fetched.Given) reader.fetch(KEY, 16)).bytes().copy()).containsExactly('a', 'b', 'c', '\n');
        assertThat(reader.look(KEY, 16)).isInstanceOf(Fetched.Given.class);
    }

    @Test
    void a_file_that_is_not_there_is_absent() {
        assertThat(reader.fetch(KEY, 16)).isEqualTo(new Fetched.Absent());
        assertThat(reader.fetch(new SecretSource.FromFile("~/none/at/all"), 16)).isEqualTo(new Fetched.Absent());
        assertThat(reader.fetch(new SecretSource.FromFile("/none/at/all"), 16)).isEqualTo(new Fetched.Absent());
    }

    @Test
    void a_file_that_others_may_read_or_write_is_not_used() throws IOException {
        for (String mode : new String[] {"rw-r-----", "rw--w----", "rw----r--", "rw-----w-"}) {
            key("abc", mode);
            assertThat(unusable(KEY)).as(mode).contains("not private");
            assertThat(reader.look(KEY, 16)).as(mode).isInstanceOf(Fetched.Unusable.class);
        }
    }

    @Test
    void a_larger_file_a_directory_and_a_link_are_not_used() throws IOException {
        key(CANARY, "rw-------");
        assertThat(((Fetched.Unusable) reader.fetch(KEY, 16)).why()).isEqualTo("is larger than 16 bytes");
        assertThat(unusable(new SecretSource.FromFile("~/keys"))).isEqualTo("is no regular file");
        Files.createSymbolicLink(home.resolve("link"), home.resolve("keys"));
        assertThat(unusable(new SecretSource.FromFile("~/link/one"))).contains("through a link");
        Files.createSymbolicLink(home.resolve("file"), home.resolve("keys/one"));
        assertThat(unusable(new SecretSource.FromFile("~/file"))).contains("through a link");
        assertThat(unusable(new SecretSource.FromFile(home.resolve("file").toString())))
                .contains("through a link");
    }

    @Test
    void outside_of_the_home_the_operator_wrote_the_way_and_only_the_file_is_no_link() throws IOException {
        Path outside = Files.createDirectory(given.toRealPath().resolve("outside"));
        Path file = Files.writeString(outside.resolve("one"), "abc");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.createSymbolicLink(given.toRealPath().resolve("way"), outside);
        Path way = given.toRealPath().resolve("way");
        assertThat(reader.read(new SecretSource.FromFile(way.resolve("one").toString())))
                .contains("abc");
        Files.createSymbolicLink(outside.resolve("two"), file);
        assertThat(unusable(new SecretSource.FromFile(way.resolve("two").toString())))
                .contains("through a link");
        assertThat(reader.read(new SecretSource.FromFile("~/../outside/one"))).contains("abc");
    }

    @Test
    void what_was_fetched_tells_nothing_of_it_in_words() {
        Fetched given = reader.fetch(new SecretSource.FromEnvironment("TOKEN"), 100);
        assertThat(given.toString()).doesNotContain(CANARY).contains("SecretBytes[18]");
        assertThat(new SecretBytes(new byte[] {'a', (byte) 0xff}).text()).isEmpty();
    }
}
