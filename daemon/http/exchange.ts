/**
 * The exchange of a pairing code for its token (FD §4.1, SPEC §10): lockout, body, then whoever holds the codes is asked.
 * Nothing holds any yet, so every well-formed code is unknown.
 */

import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { clientAddress } from '../access/client-address.ts';
import type { Lockout } from '../access/lockout.ts';
import { isPlainObject, parseJson, readBody } from './body.ts';
import { capOf, exchangePath, tooLarge } from './gate.ts';
import { type HttpAnswer, type HttpRefusal, refuse } from './refuse.ts';

const longestField = 1_024;
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;

export async function exchange(incoming: IncomingMessage, lockout: Lockout): Promise<HttpAnswer> {
  const address = clientAddress(incoming.socket.remoteAddress);
  return refuse(
    locked(lockout, address) ??
      (await bodyProblem(incoming)) ??
      // Once more: others may have failed while this body arrived, and from here to the count nothing waits.
      locked(lockout, address) ??
      failed(lockout, address, { kind: 'code_not_found' }),
  );
}

function locked(lockout: Lockout, address: string): HttpRefusal | null {
  const retryAfterSeconds = lockout.secondsLeft(address);
  return retryAfterSeconds === 0 ? null : { kind: 'exchange_limited', retryAfterSeconds };
}

/** For 403, 404 and 410; a malformed body (400) is no guess. */
function failed(lockout: Lockout, address: string, refusal: HttpRefusal): HttpRefusal {
  lockout.failed(address);
  return refusal;
}

async function bodyProblem(incoming: IncomingMessage): Promise<HttpRefusal | null> {
  if (!isJsonContentType(incoming.headers['content-type'] ?? null)) {
    return invalid('The Content-Type must be application/json.');
  }
  const body = await readBody(incoming, capOf(exchangePath));
  if (body.kind === 'too_large') return tooLarge(exchangePath);
  if (body.kind === 'incomplete') return invalid('The body ended before it was complete.');
  const fields = parseJson(body.bytes);
  if (!isPlainObject(fields)) return invalid('The body must be a JSON object.');
  for (const name of ['code', 'code_verifier']) {
    const value = fields[name];
    if (typeof value !== 'string' || value === '') return invalid(`${name} must be a string.`);
    if (Buffer.byteLength(value) > longestField) return invalid(`${name} is longer than ${longestField} bytes.`);
  }
  // A code that isn't a UUID is well-formed all the same: it is unknown, as a wrong one is (SPEC §10).
  return verifierPattern.test(String(fields.code_verifier))
    ? null
    : invalid('code_verifier must be 43 to 128 of the characters A-Z a-z 0-9 - . _ ~.');
}

function invalid(sentence: string): HttpRefusal {
  return { kind: 'invalid_exchange', sentence };
}
