/** A server and an invocation for the tests of the command line. Entry point: {@code ScriptedServer}. */
package org.berth.cli.testing;
