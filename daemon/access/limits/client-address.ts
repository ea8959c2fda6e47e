/** Groups failures by client address (spec §13); all addresses of this machine count as one. */

/**
 * A local program may dial from any of the 16 million addresses in 127.0.0.0/8: counted separately,
 * each would give a guesser five tries.
 */
const loopback = /^(?:::ffff:)?127\.|^::1$/;

/** @param remote the socket's address; undefined once it is closed. */
export function clientAddress(remote: string | undefined): string {
  if (remote === undefined || loopback.test(remote)) return 'this machine';
  return remote;
}
