/**
 * The program {@code berth}: what a person types, over the public routes only. Entry point: {@code Berth}. Depends on no
 * module of the server.
 */
package org.berth.cli;
