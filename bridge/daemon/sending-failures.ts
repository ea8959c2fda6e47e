/** How sending a request can fail, and after which failures it may be sent again. Sends nothing. */

/**
 * Nothing was sent. Besides a refused token, the only failure after which a request may be sent
 * again.
 */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/**
 * True if the connection was reset before an answer, so the request was never read in full. A
 * system resets a connection if it is closed with unread bytes in it, or if bytes arrive after it
 * was closed; otherwise it ends the connection in order. Each connection carries one request at a
 * time, and nothing acts on part of a request. A request meets this if the daemon was killed just
 * before. A living daemon resets nothing, so the caller also checks that the proof still stands.
 */
export function wasNeverRead(error: unknown): boolean {
  // After an orderly end the error is our own; a system's error has a `syscall`.
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && (code === 'ECONNRESET' || code === 'EPIPE');
}
