/**
 * The driver of OpenShell environments, over OpenShell's own command. Entry point: {@link
 * org.berth.environment.openshell.OpenShellDriver}. What differs between OpenShell's versions is in {@link
 * org.berth.environment.openshell.OpenShellVersion} only.
 */
package org.berth.environment.openshell;
