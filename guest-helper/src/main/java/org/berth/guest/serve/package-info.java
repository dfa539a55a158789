/**
 * Requests over a line: one JSON object a line, {@code {"id":n,"args":[…],"data":"base64"}}, answered in order by {@code
 * {"id":n,"reply":{…}}}. Entry: {@link org.berth.guest.serve.LineServer}, {@link org.berth.guest.serve.ControlLine}.
 */
package org.berth.guest.serve;
