package org.berth.harness.service;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.berth.problem.BerthException;

/**
 * A cell on its way through its session's {@link StartGate}: from the entry that it is judged by until it is over or a job. One
 * that a step back or the session's end forbids meanwhile is killed. Source: harness.md, S2.
 */
final class CellStart {
    private final StartGate gate;
    private final StartGate.Start start;

    private CellStart(StartGate gate, StartGate.Start start) {
        this.gate = gate;
        this.start = start;
    }

    /**
     * Begins.
     *
     * @param afterEntry the last entry that was committed before
     * @throws BerthException CONFLICT when the session is ending
     */
    static CellStart begin(StartGate gate, long afterEntry) {
        StartGate.Start start = gate.begin(afterEntry);
        if (start == null) {
            throw BerthException.conflict("the session is ending; nothing starts in it any more");
        }
        return new CellStart(gate, start);
    }

    /**
     * Gives the cell to the session's kernel.
     *
     * @param find the kernel, so that an end of the session that comes after it finds it too; starts nothing
     * @return the kernel
     * @throws BerthException CONFLICT when the start was forbidden; then the kernel was not asked for
     */
    SessionKernel run(Supplier<SessionKernel> find, CellRun cell) {
        AtomicReference<SessionKernel> found = new AtomicReference<>();
        if (!gate.go(start, () -> found.set(find.get()), () -> found.get().kill(cell))) {
            throw forbidden();
        }
        SessionKernel kernel = found.get();
        kernel.run(cell);
        if (gate.isForbidden(start)) {
            // The kill may have come before the kernel had the cell.
            kernel.kill(cell);
        }
        return kernel;
    }

    /**
     * The cell goes on as a job.
     *
     * @param enter gives it its place among the session's jobs
     * @throws BerthException CONFLICT when the start was forbidden; then the cell is killed and no job
     */
    void detach(Runnable enter) {
        if (!gate.pass(start, enter)) {
            throw forbidden();
        }
    }

    /** It is over, or never ran. */
    void giveUp() {
        gate.giveUp(start);
    }

    private static BerthException forbidden() {
        return BerthException.conflict("the session ended or went back after the cell was sent; it is stopped");
    }
}
