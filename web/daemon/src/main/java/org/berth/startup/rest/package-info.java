/** Routes of the start of contained seats: launch and connect of one environment, and the start of a whole rig. */
package org.berth.startup.rest;
