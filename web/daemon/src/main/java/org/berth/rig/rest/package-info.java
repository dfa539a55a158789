/** The routes of rigs, nodes and seats. Entry point: {@code RigResource}. May use domain, the services and {@code org.berth.web}. */
package org.berth.rig.rest;
