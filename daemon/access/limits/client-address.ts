/**
 * Whose failures are counted together (spec §13): a client's address, with all of this machine's
 * own as one.
 */

/**
 * Any program here may dial from any of the 16 million addresses of 127.0.0.0/8, so counting each
 * alone would give a guesser five tries for every one of them.
 */
const loopback = /^(?:::ffff:)?127\.|^::1$/;

/** @param remote as the socket tells it; undefined once it is closed. */
export function clientAddress(remote: string | undefined): string {
  if (remote === undefined || loopback.test(remote)) return 'this machine';
  return remote;
}
