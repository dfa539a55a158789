/**
 * Reading the host policy file {@code host.yaml}. Entry points: {@link org.berth.host.service.HostPolicyLoader} and
 * {@link org.berth.host.service.HostPolicyFile}. Depends on {@code org.berth.host} and the YAML parser.
 */
package org.berth.host.service;
