/**
 * Which of a server's messages `pg` gets, and what they must not contain (PostgreSQL manual, 55.7).
 * No socket.
 */

import { DialRefused } from './tls.ts';

/** A letter, and the message's length without the letter. */
export const headerBytes = 5;
export const authentication = 0x52; // 'R'
export const dataRow = 0x44; // 'D'
export const errorResponse = 0x45; // 'E'
export const noticeResponse = 0x4e; // 'N'
export const readyForQuery = 0x5a; // 'Z'
const severity = 0x53; // 'S'
const untranslatedSeverity = 0x56; // 'V'

const forSigningIn = 'RSKEZ';
const forStatements = 'TCEZ';
/**
 * Notices (they bypass `pg`), notifications, parameters, COPY data, confirmations of steps: a
 * statement needs none of them.
 */
const dropped = 'NASd123nItsc';
/** COPY from the client, to the client, both ways. */
const copies = 'GHW';

/**
 * Turns the beginning of a too long error into a complete error: ends the cut text and the list of
 * fields.
 */
export function endedError(start: Buffer): Buffer {
  const message = Buffer.concat([start, Buffer.from(' […the rest is not read…]\0\0')]);
  message.writeInt32BE(message.length - 1, 1);
  return message;
}

/**
 * What is done with a message that is no row. Throws if no server sends this message at this point.
 */
export function useOf(code: number, isSignedIn: boolean): 'driver' | 'dropped' | 'copy' {
  const letter = String.fromCharCode(code);
  if ((isSignedIn ? forStatements : forSigningIn).includes(letter)) return 'driver';
  if (dropped.includes(letter)) return 'dropped';
  if (isSignedIn && copies.includes(letter)) return 'copy';
  throw new DialRefused('what answers there is not PostgreSQL');
}

/** @param message whole, for `pg`; changed in place. Throws if `pg` must not get it. */
export function makeSafe(message: Buffer): void {
  const letter = String.fromCharCode(message[0] ?? 0);
  // `pg`'s parser would read a tag beyond the message.
  if (letter === 'C' && message.subarray(headerBytes).at(-1) !== 0) throw endless();
  if (letter === 'E') nameSeverity(message);
}

const endless = (): RangeError => new RangeError('a text has no end');

/**
 * `pg` reads the severity from field S, which the server translates; this copies field V, which it
 * never does. Throws if the list of fields has no end, on which `pg`'s parser would loop for ever.
 */
function nameSeverity(error: Buffer): void {
  for (let at = headerBytes; error[at] !== 0; ) {
    const end = at < error.length ? error.indexOf(0, at + 1) : -1;
    if (end === -1) throw endless();
    if (error[at] === untranslatedSeverity) error[at] = severity;
    at = end + 1;
  }
}
