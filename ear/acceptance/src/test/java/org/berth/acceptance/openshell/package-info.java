/**
 * A conformance double of OpenShell 0.1.6's command, built from the recorded facts: it refuses any command line outside
 * them, keeps its state on disk across processes, runs the real guest helper, and can lose replies, cut listings,
 * duplicate rows, change identities and phases, hang, wait for the test, and grow a file while it is read. Entry points: {@code
 * OpenShellWorld} for tests, {@code OpenShellDouble} for its process.
 */
package org.berth.acceptance.openshell;
