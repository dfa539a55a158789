package org.berth.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The batch jobs' executions as the server's management model shows them. */
final class JobRecords {
    private static final Pattern TIMES = Pattern.compile(
            "\"batch-status\" : \"COMPLETED\".*?\"end-time\" : \"([^\"]+)\".*?\"start-time\" : \"([^\"]+)\"",
            Pattern.DOTALL);

    /** One execution that completed. */
    record Execution(Instant start, Instant end) {}

    private final Target target;
    private final Authenticator account;

    JobRecords(Target target) throws IOException {
        this.target = target;
        Properties credentials = new Properties();
        try (InputStream in = Files.newInputStream(target.home().resolve("management.credentials"))) {
            credentials.load(in);
        }
        account = new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication(
                        credentials.getProperty("user"),
                        credentials.getProperty("password").toCharArray());
            }
        };
    }

    /** In the order of their starts. */
    List<Execution> completed(String job) throws IOException {
        String answer = ask(DEPLOYMENT.formatted(job));
        List<Execution> found = new ArrayList<>();
        Matcher matcher = TIMES.matcher(answer);
        while (matcher.find()) {
            found.add(new Execution(time(matcher.group(2)), time(matcher.group(1))));
        }
        found.sort(Comparator.comparing(Execution::start));
        return found;
    }

    private static final String DEPLOYMENT =
            "{\"operation\":\"read-resource\",\"address\":[\"deployment\",\"berth.ear\","
                    + "\"subdeployment\",\"berth-ejb.jar\",\"subsystem\",\"batch-jberet\",\"job\",\"%s\"],"
                    + "\"recursive\":true,\"include-runtime\":true,\"json.pretty\":1}";

    private static Instant time(String text) {
        return ZonedDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME).toInstant();
    }

    private String ask(String operation) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create("http://127.0.0.1:" + target.managementPort() + "/management")
                        .toURL()
                        .openConnection();
        connection.setAuthenticator(account);
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.getOutputStream().write(operation.getBytes(StandardCharsets.UTF_8));
        int status = connection.getResponseCode();
        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            String answer = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
            if (status != 200) {
                throw new BenchmarkException("the management answered " + status + ": " + answer);
            }
            return answer;
        }
    }
}
