package org.berth.process.supervisor.os;

/** What differs between the processors that Berth runs on. Source: facts of the Linux x86-64 and aarch64 ABIs. */
enum Cpu {
    X86_64(12, 4, 0x10000),
    AARCH64(16, 8, 0x4000);

    /** Size of struct epoll_event in bytes (packed on x86-64 only). */
    final int epollEventSize;

    /** Where its data begins. */
    final int epollDataOffset;

    /** The open flag O_DIRECTORY. */
    final int openDirectory;

    Cpu(int epollEventSize, int epollDataOffset, int openDirectory) {
        this.epollEventSize = epollEventSize;
        this.epollDataOffset = epollDataOffset;
        this.openDirectory = openDirectory;
    }

    static final Cpu CURRENT = current();

    private static Cpu current() {
        String name = System.getProperty("os.arch");
        return switch (name) {
            case "amd64", "x86_64" -> X86_64;
            case "aarch64" -> AARCH64;
            default -> throw new IllegalStateException("Berth runs on x86-64 and aarch64, not on " + name);
        };
    }
}
