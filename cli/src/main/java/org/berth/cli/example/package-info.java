/** The maintained example of a team with one contained worker, and what prepares it. Entry point: {@code Example}. May use {@code api}. */
package org.berth.cli.example;
