/**
 * The Python of local kernels: installed once by a command, set up again by a session from local files only. Entry point:
 * {@link org.berth.harness.setup.KernelEnvironment}; {@link org.berth.harness.setup.KernelProgram} is the program of {@code
 * berth kernel install}. Uses the domain's private files and java.base.
 */
package org.berth.harness.setup;
