/**
 * How sending a request can fail, and after which of it the request may be sent again. Sends
 * nothing.
 */

/**
 * Nothing was sent: the one kind of failure, beside a refused token, after which a request may be
 * sent again.
 */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/**
 * Whether the connection was reset before an answer. A system resets what is closed with bytes in
 * it that nobody read, and what is sent to a connection already closed; where all was read it ends
 * the connection in order. A connection carries one request at a time, so of a reset one not the
 * whole request was read, and no part of a request is acted on. That is how a request meets a
 * daemon that was killed just before; one that still stands by its proof resets nothing, so whoever
 * asks makes sure of that too.
 */
export function wasNeverRead(error: unknown): boolean {
  // Of an orderly end the error is our own; the system's name a system call.
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && (code === 'ECONNRESET' || code === 'EPIPE');
}
