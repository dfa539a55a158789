/**
 * The kernel's and the C library's calls that the supervisor needs, through java.lang.foreign. A call answers as the
 * kernel does: a result of zero or more, or the negative error number. Entry points: {@code Descriptors}, {@code Epoll},
 * {@code PidFd}, {@code PosixSpawn}, {@code ProcTable}. Depends on java.base only.
 */
package org.berth.process.supervisor.os;
