package org.berth.harness.setup;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What {@code berth kernel install --check} shows; found out without a request and without a change.
 *
 * @param state one of {@code named python}, {@code installed}, {@code host python}, {@code of another build}, {@code not
 *     installed}, {@code unusable} for a named Python that cannot run the kernel
 * @param usable whether a session would start a kernel without making anything
 * @param python empty when there is none
 * @param version of that Python; empty when it does not tell
 * @param venv where the virtual environment belongs
 * @param uv the program that makes it; empty when there is none on PATH
 * @param settingUp the process that makes it now
 */
public record KernelState(
        String state,
        boolean usable,
        Optional<Path> python,
        Optional<String> version,
        Path venv,
        Optional<Path> uv,
        Optional<Long> settingUp) {}
