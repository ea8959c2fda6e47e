/**
 * Exchanges a pairing code for its token (spec §10): lockout, body, then the register of codes is
 * asked. Words each outcome for the wire and the activity log; access/pairing/pairing.ts
 * decides what a code is worth.
 */

import type { IncomingMessage } from 'node:http';
import { isObject } from '../../../shared/json.ts';
import type { Admission } from '../../access/limits/admission.ts';
import type { Pairings, RedeemedCode } from '../../access/pairing/pairing.ts';
import type { ActivityEntry, ActivityLog, ActivitySubject } from '../../activity.ts';
import { jsonIn, readBody } from './body.ts';
import { httpLimits } from './http-limits.ts';
import { isJsonContent } from './json-content.ts';
import { longestPartOf } from './json-parts.ts';
import { answerJson, type HttpAnswer, type HttpRefusal, noStore, refuse } from './refuse.ts';

export interface ExchangePorts {
  readonly pairings: Pick<Pairings, 'isPending' | 'redeem'>;
  readonly activity: Pick<ActivityLog, 'record' | 'tally' | 'flush'>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
}

type ExchangeContext = ExchangePorts & {
  readonly admission: Pick<Admission, 'exchangeLockout' | 'malformedExchanges'>;
};

interface Credential {
  readonly code: string;
  readonly verifier: string;
}

const longestField = 1_024;
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/;

/** @throws if the token can't be kept: its code is used up, and nobody has the token. */
export async function exchange(
  incoming: IncomingMessage,
  context: ExchangeContext,
  bodySeconds: number,
): Promise<HttpAnswer> {
  const body = await readCredential(incoming, bodySeconds);
  // All programs of this machine count as one: their guesses don't keep out who has a code. A wrong
  // verifier burns the code, so nobody guesses at one twice. From here to the count nothing waits.
  const isGuess = 'kind' in body || !context.pairings.isPending(body.code);
  const lock = isGuess ? locked(context) : null;
  if (lock !== null) return refuse(lock);
  if ('kind' in body) {
    await recordMalformed(body, context);
    return refuse(body);
  }
  const redeemed = context.pairings.redeem(body.code, body.verifier);
  if (redeemed.kind === 'token') {
    const token = await kept(redeemed, context);
    if (token !== null) return answerJson(200, { token }, noStore);
  }
  const kind = redeemed.kind === 'token' ? 'code_not_found' : redeemed.kind;
  context.admission.exchangeLockout.failed();
  await recordNow({ ...denied, ...subjectOf(redeemed), reason: kind }, context);
  return refuse({ kind });
}

async function kept(
  redeemed: Extract<RedeemedCode, { kind: 'token' }>,
  { activity }: ExchangePorts,
): Promise<string | null> {
  const entry = { category: 'auth', action: 'exchange', ...subjectOf(redeemed) } as const;
  try {
    const token = await redeemed.keep();
    if (token !== null) activity.record({ ...entry, outcome: 'success' });
    return token;
  } catch (error) {
    activity.record({ ...entry, outcome: 'error', reason: 'the token could not be kept' });
    throw error;
  }
}

/** A paired token has its client's name. */
function subjectOf(redeemed: RedeemedCode): ActivitySubject {
  if (!('tokenId' in redeemed)) return {};
  const { tokenId, client } = redeemed;
  return { principal: tokenId, tokenName: client, client };
}

const denied = { category: 'auth', action: 'exchange', outcome: 'denied' } as const satisfies ActivityEntry;

/**
 * Called before the answer is sent: whoever gets a token must not be able to remove its row by a
 * kill.
 */
async function recordNow(entry: ActivityEntry, { activity }: ExchangePorts): Promise<void> {
  activity.record(entry);
  await activity.flush();
}

function count(entry: ActivityEntry, { activity, now }: ExchangePorts): void {
  activity.tally(`exchange ${entry.reason}`, now() + httpLimits.lockoutRowSeconds * 1000, entry);
}

function locked(context: ExchangeContext): HttpRefusal | null {
  const retryAfterSeconds = context.admission.exchangeLockout.secondsLeft();
  if (retryAfterSeconds === 0) return null;
  count({ ...denied, reason: 'locked out' }, context);
  return { kind: 'exchange_limited', retryAfterSeconds };
}

/**
 * A malformed body (400) is no guess and has no cost, but it is recorded as a failure.
 */
async function recordMalformed({ kind }: HttpRefusal, context: ExchangeContext): Promise<void> {
  const entry: ActivityEntry = { ...denied, reason: kind === 'invalid_exchange' ? 'invalid_request' : kind };
  const { malformedExchanges } = context.admission;
  if (malformedExchanges.secondsLeft() > 0) return count(entry, context);
  malformedExchanges.failed();
  await recordNow(entry, context);
}

async function readCredential(incoming: IncomingMessage, bodySeconds: number): Promise<Credential | HttpRefusal> {
  if (!isJsonContent(incoming)) {
    return invalid('The Content-Type must be application/json, once.');
  }
  const body = await readBody(incoming, httpLimits.exchangeBodyBytes, bodySeconds);
  if (body.kind === 'too_large') return invalid(`The body is larger than ${httpLimits.exchangeBodyBytes} bytes.`);
  if (body.kind === 'too_slow') return { kind: 'body_too_slow' };
  if (body.kind === 'incomplete') return invalid('The body ended before it was complete.');
  const fields = jsonIn(body.bytes);
  if (!isObject(fields)) return invalid('The body must be a JSON object.');
  const { code, code_verifier: verifier } = fields;
  for (const [name, value] of [
    ['code', code],
    ['code_verifier', verifier],
  ] as const) {
    if (typeof value !== 'string' || value === '') return invalid(`${name} must be a string.`);
    if (Buffer.byteLength(value) > longestField) return invalid(`${name} is longer than ${longestField} bytes.`);
  }
  if (longestPartOf(body.bytes) > longestField) return invalid(`A field is longer than ${longestField} bytes.`);
  // A code that isn't a UUID is well-formed too: it is unknown, like a wrong one.
  return verifierPattern.test(String(verifier))
    ? { code: String(code), verifier: String(verifier) }
    : invalid('code_verifier must be 43 to 128 of the characters A-Z a-z 0-9 - . _ ~.');
}

function invalid(sentence: string): HttpRefusal {
  return { kind: 'invalid_exchange', sentence };
}
