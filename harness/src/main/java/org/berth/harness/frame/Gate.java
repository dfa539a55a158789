package org.berth.harness.frame;

import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Decides on each frame of one kernel, in order, before any handler sees it, and writes the replies of those it refuses in
 * that order. A fault is its last decision: whatever comes after it is passed over, since the kernel is replaced.
 *
 * <p>A used id is answered as a duplicate whatever else is wrong with the frame: an error under it would settle the first
 * request in the kernel. A request that was refused has used its id too.
 *
 * <p>One reader feeds it; replies may be settled on any thread. Source: harness.md, S3.
 */
public final class Gate implements FrameSplitter.Lines {
    /** Output that may be lost when it is too large; every other event is waited for. Source: harness.md, S3. */
    private static final Set<String> DROPPABLE = Set.of("stdout", "stderr", "display");

    private final FrameLimits limits;
    private final Predicate<String> served;
    private final ReplyWriter replies;
    private final Consumer<? super Admission> decided;
    private final FrameScanner scanner;
    private final UsedIds used;
    private boolean faulted;

    /**
     * @param served whether a request type has a handler
     * @param replies takes the refusals, and what settles the accepted requests
     * @param decided hears of each decision, in order, on the thread that feeds
     */
    public Gate(
            FrameLimits limits, Predicate<String> served, ReplyWriter replies, Consumer<? super Admission> decided) {
        this.limits = limits;
        this.served = Objects.requireNonNull(served);
        this.replies = Objects.requireNonNull(replies);
        this.decided = Objects.requireNonNull(decided);
        this.scanner = new FrameScanner(limits.headBytes());
        this.used = new UsedIds(limits.rememberedIds());
    }

    @Override
    public void line(Frame frame) {
        if (faulted) {
            return;
        }
        scanner.reset();
        for (Frame.Piece piece : frame.pieces()) {
            if (!scanner.feed(piece.bytes(), piece.from(), piece.to())) {
                fault(notAFrame(frame));
                return;
            }
        }
        FrameHeader header = scanner.header();
        Optional<String> event = header.event();
        if (!scanner.isComplete() || event.isEmpty()) {
            fault(notAFrame(frame));
        } else if (header.isRequest()) {
            request(header, frame);
        } else if (event.get().equals(FrameHeader.HOST_REQUEST)) {
            fault(ProtocolFault.Reason.NOT_A_FRAME);
        } else {
            decided.accept(new Admission.Event(event.get(), frame));
        }
    }

    @Override
    public void oversized(Frame head) {
        if (faulted) {
            return;
        }
        scanner.reset();
        for (Frame.Piece piece : head.pieces()) {
            scanner.feed(piece.bytes(), piece.from(), piece.to());
        }
        FrameHeader header = scanner.header();
        if (header.isRequest()) {
            String id = header.id().get();
            if (used.use(id)) {
                refuse(
                        Admission.Refusal.OVERSIZED,
                        id,
                        "the request is over the limit of " + limits.lineBytes() + " bytes");
            } else {
                duplicate(id);
            }
        } else if (header.event().filter(DROPPABLE::contains).isPresent()) {
            String event = header.event().get();
            decided.accept(new Admission.Dropped(
                    event, "a " + event + " event over the limit of " + limits.lineBytes() + " bytes was dropped"));
        } else {
            fault(ProtocolFault.Reason.OVERSIZED);
        }
    }

    @Override
    public void cut(int byteCount) {
        if (!faulted) {
            fault(ProtocolFault.Reason.CUT);
        }
    }

    private void request(FrameHeader header, Frame frame) {
        String id = header.id().get();
        Optional<String> type = header.type();
        if (!used.use(id)) {
            duplicate(id);
        } else if (type.isEmpty()) {
            refuse(Admission.Refusal.NO_TYPE, id, "the request names no type");
        } else if (!served.test(type.get())) {
            refuse(Admission.Refusal.NOT_SERVED, id, "the host serves no request of type " + type.get());
        } else {
            used.started(id);
            PendingReply reply = new PendingReply(id, replies, () -> used.settled(id));
            decided.accept(new Admission.Accepted(new HostRequest(id, type.get(), frame.keep()), reply));
        }
    }

    private void refuse(Admission.Refusal refusal, String id, String error) {
        replies.write(HostReply.error(id, error));
        decided.accept(new Admission.Refused(refusal, id, error));
    }

    private void duplicate(String id) {
        replies.write(HostReply.duplicate(id));
        decided.accept(new Admission.Refused(
                Admission.Refusal.DUPLICATE, id, "a host request came with an id that was used before"));
    }

    private void fault(ProtocolFault.Reason reason) {
        faulted = true;
        decided.accept(new Admission.Fault(new ProtocolFault(reason)));
    }

    private static ProtocolFault.Reason notAFrame(Frame frame) {
        return StrictUtf8.holds(frame) ? ProtocolFault.Reason.NOT_A_FRAME : ProtocolFault.Reason.NOT_UTF8;
    }
}
