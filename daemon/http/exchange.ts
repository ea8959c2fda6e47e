/**
 * The exchange of a pairing code for its token (FD §4.1, SPEC §10): checks the body, then asks who holds the codes. Nothing
 * holds any yet, so every well-formed code is unknown.
 */

import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { isPlainObject, parseJson, readBody } from './body.ts';
import { capOf, exchangePath, tooLarge } from './gate.ts';
import { type HttpAnswer, type HttpRefusal, refuse } from './refuse.ts';

const longestField = 1_024;
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;

export async function exchange(incoming: IncomingMessage): Promise<HttpAnswer> {
  return refuse((await bodyProblem(incoming)) ?? { kind: 'code_not_found' });
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
