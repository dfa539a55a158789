package org.berth.harness.transport;

/** How a wrapper takes the command it runs. */
public enum CommandForm {
    /** As further arguments: docker, podman, any program that ends in exec. */
    ARGV,
    /** As one argument for a shell on the other side: ssh. */
    SHELL
}
