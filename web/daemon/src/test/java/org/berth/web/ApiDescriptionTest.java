package org.berth.web;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.annotation.WebServlet;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.activity.hooks.HookEndpoint;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.Test;

class ApiDescriptionTest {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");
    private static final Map<?, ?> TREE = ApiDescription.tree();

    @Test
    void theDescriptionNamesExactlyTheRoutesOfTheResources() throws Exception {
        assertThat(described()).isNotEmpty().isEqualTo(implemented());
    }

    @Test
    void everyProblemCodeIsDescribedAndNoOther() {
        assertThat((List<?>) at("components", "schemas", "ProblemCode", "enum"))
                .isEqualTo(
                        Stream.of(ProblemCode.values()).map(ProblemCode::wire).toList());
    }

    @Test
    void thePageOfErrorsListsEveryCodeWithItsStatusAndAdvice() throws Exception {
        assertThat(Files.readAllLines(java.nio.file.Path.of("../../docs/errors.md")).stream()
                        .filter(line -> line.matches("\\| [A-Za-z_]+ \\| [0-9]{3} .*"))
                        .map(line -> line.substring(0, line.lastIndexOf('|', line.length() - 2) + 1)))
                .containsExactlyElementsOf(Stream.of(ProblemCode.values())
                        .map(code -> "| " + code.wire() + " | " + code.status() + " | "
                                + code.retry().name().toLowerCase(java.util.Locale.ROOT) + " |")
                        .toList());
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        assertThat(ApiDescription.text().lines().flatMap(ApiDescriptionTest::references))
                .isNotEmpty()
                .allSatisfy(reference ->
                        assertThat(at(reference.split("/"))).as(reference).isNotNull());
    }

    @Test
    void thePageShowsEveryRouteAndSchemaWithoutAScript() {
        String page = ApiPage.render(ApiDescription.tree());
        assertThat(described()).allSatisfy(route -> assertThat(page).contains("<code>" + route + "</code>"));
        assertThat(((Map<?, ?>) at("components", "schemas")).keySet())
                .allSatisfy(name -> assertThat(page).contains("id=\"schemas-" + name + "\""));
        assertThat(page).doesNotContain("<script", "src=", "<link");
    }

    private static Set<String> described() {
        Set<String> routes = new TreeSet<>();
        ((Map<?, ?>) at("paths"))
                .forEach((path, item) -> ((Map<?, ?>) item)
                        .keySet().stream()
                                .filter(METHODS::contains)
                                .forEach(method ->
                                        routes.add(method.toString().toUpperCase(java.util.Locale.ROOT) + " " + path)));
        return routes;
    }

    private static Set<String> implemented() throws Exception {
        java.nio.file.Path classes = java.nio.file.Path.of(DaemonApplication.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Set<String> routes = new TreeSet<>();
        List<String> names;
        try (Stream<java.nio.file.Path> files = Files.walk(classes)) {
            names = files.map(file -> classes.relativize(file).toString())
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.replace('/', '.').replaceFirst("\\.class$", ""))
                    .toList();
        }
        for (String name : names) {
            Class<?> resource = Class.forName(name, false, ApiDescriptionTest.class.getClassLoader());
            WebServlet servlet = resource.getAnnotation(WebServlet.class);
            if (servlet != null) {
                Stream.of(servlet.urlPatterns())
                        .filter(pattern -> pattern.startsWith("/api/"))
                        .forEach(pattern -> routes.add(
                                (HookEndpoint.class.isAssignableFrom(resource) ? "POST " : "GET ") + pattern));
            }
            if (!name.endsWith("Resource")) {
                continue;
            }
            for (Method method : resource.getDeclaredMethods()) {
                for (Annotation annotation : method.getAnnotations()) {
                    HttpMethod verb = annotation.annotationType().getAnnotation(HttpMethod.class);
                    if (verb != null) {
                        routes.add(verb.value() + " " + joined(resource, method));
                    }
                }
            }
        }
        return routes;
    }

    private static String joined(Class<?> resource, Method method) {
        return Stream.of(resource.getAnnotation(Path.class), method.getAnnotation(Path.class))
                .filter(path -> path != null)
                .map(path -> path.value().replaceAll("^/|/$", ""))
                .collect(Collectors.joining("/", "/", ""));
    }

    private static Stream<String> references(String line) {
        return Arrays.stream(line.split("\\$ref: '#/")).skip(1).map(rest -> rest.substring(0, rest.indexOf('\'')));
    }

    private static Object at(String... names) {
        Object found = TREE;
        for (String name : names) {
            found = ((Map<?, ?>) found).get(name);
        }
        return found;
    }
}
