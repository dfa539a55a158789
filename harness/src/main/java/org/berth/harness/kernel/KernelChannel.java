package org.berth.harness.kernel;

/**
 * The way to one kernel process. What the kernel writes is pushed to {@link KernelClient#received} and {@link
 * KernelClient#ended} by whoever made the channel.
 */
public interface KernelChannel {
    /**
     * Sends one line whole. Any thread; must not wait for the kernel to read. A kernel that is gone takes nothing, and its
     * end is told by {@link KernelClient#ended}.
     */
    void write(byte[] line);

    /** Closes the kernel's standard input, by which a wrapped kernel ends. */
    void closeInput();

    /** Closes the input and kills the process group. May be called twice. */
    void kill();
}
