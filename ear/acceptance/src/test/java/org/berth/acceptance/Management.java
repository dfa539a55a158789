package org.berth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The application server's management model over HTTP, with the console account of the state root. */
public final class Management {
    private final HttpClient client;
    private final URI address;
    private final DigestLogin account;

    public Management(BerthServer server) {
        Properties file = new Properties();
        try {
            file.load(new java.io.StringReader(BerthServer.read(server.home().resolve("management.credentials"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        address = URI.create("http://127.0.0.1:" + server.managementPort() + "/management");
        client = HttpClient.newHttpClient();
        account = new DigestLogin(file.getProperty("user"), file.getProperty("password"));
    }

    /** What {@code operation} at {@code path} answers; name, value, name, value … as parameters. */
    public Object call(String operation, List<Map<String, String>> path, Object... parameters) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("operation", operation);
        body.put("address", path);
        for (int i = 0; i < parameters.length; i += 2) {
            body.put((String) parameters[i], parameters[i + 1]);
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)));
        try {
            HttpResponse<String> challenge = client.send(request.copy().build(), HttpResponse.BodyHandlers.ofString());
            String wanted = challenge.headers().firstValue("WWW-Authenticate").orElseThrow();
            HttpResponse<String> response = client.send(
                    request.copy()
                            .header("Authorization", account.answer(wanted, "POST", address.getPath()))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            Map<String, Object> answer = Json.object(response.body());
            if (!"success".equals(answer.get("outcome"))) {
                throw new AssertionError(operation + " " + path + ": " + response.body());
            }
            return answer.get("result");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
