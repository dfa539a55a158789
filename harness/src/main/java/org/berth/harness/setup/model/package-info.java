/** The kernel environment without a disk, a process or uv. Entry points: the two models. java.base only. */
package org.berth.harness.setup.model;
