/**
 * Strict reading of YAML documents: unknown and repeated keys are refused with their line and column. Entry point: {@link
 * org.berth.yaml.YamlNode}. May use domain and SnakeYAML.
 */
package org.berth.yaml;
