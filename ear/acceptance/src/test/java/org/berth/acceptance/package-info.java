/**
 * The assembled server, driven from outside as its users drive it. Entry points: {@link
 * org.berth.acceptance.BerthServer} runs one, {@link org.berth.acceptance.Api} calls it, {@link
 * org.berth.acceptance.StreamClient} follows an attempt's output.
 */
package org.berth.acceptance;
