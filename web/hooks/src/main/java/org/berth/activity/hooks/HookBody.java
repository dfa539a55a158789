package org.berth.activity.hooks;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.berth.activity.ActivityEvent;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** Gathers a body of at most {@link HookEndpoint#MAX_BYTES} as it arrives, then hands it on. */
final class HookBody implements ReadListener {
    private static final int CHUNK = 4096;

    private final ServletInputStream in;
    private final HookAnswer answer;
    private final Function<byte[], CompletionStage<ActivityEvent>> record;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(512);
    private final byte[] chunk = new byte[CHUNK];

    private HookBody(
            ServletInputStream in, HookAnswer answer, Function<byte[], CompletionStage<ActivityEvent>> record) {
        this.in = in;
        this.answer = answer;
        this.record = record;
    }

    /** Most bodies come with their head and are read at once; a slow one holds no thread. */
    static void read(AsyncContext exchange, HookAnswer answer, Function<byte[], CompletionStage<ActivityEvent>> record)
            throws IOException {
        ServletInputStream in = exchange.getRequest().getInputStream();
        HookBody body = new HookBody(in, answer, record);
        long announced = exchange.getRequest().getContentLengthLong();
        if (announced >= 0 && in.available() >= announced) {
            body.hand(in.readNBytes((int) announced));
        } else {
            in.setReadListener(body);
        }
    }

    static BerthException tooLarge() {
        return new BerthException(ProblemCode.TOO_LARGE, "the body is over " + HookEndpoint.MAX_BYTES + " bytes");
    }

    @Override
    public void onDataAvailable() throws IOException {
        while (in.isReady() && !in.isFinished()) {
            int count = in.read(chunk);
            if (count < 0) {
                return;
            }
            body.write(chunk, 0, count);
            if (body.size() > HookEndpoint.MAX_BYTES) {
                answer.refuse(tooLarge());
                return;
            }
        }
    }

    @Override
    public void onAllDataRead() {
        if (body.size() <= HookEndpoint.MAX_BYTES) {
            hand(body.toByteArray());
        }
    }

    @Override
    public void onError(Throwable failure) {
        answer.abandon();
    }

    private void hand(byte[] bytes) {
        try {
            record.apply(bytes).whenComplete(answer::tell);
        } catch (RuntimeException e) {
            answer.refuse(HookAnswer.told(e));
        }
    }
}
