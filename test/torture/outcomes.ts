/** Reads the result of a client's call: it ran, it didn't run, or nobody can say. */

import { errorCodes } from '../../shared/codes.ts';
import type { ToolResult } from '../journeys/databases/three-engines.ts';
import type { CallOutcome } from './ledger.ts';

export interface Outcome {
  readonly outcome: CallOutcome;
  readonly how: string;
}

/** Tool errors after which a statement may have taken effect. */
const unsureWords = new Set(['outcome_unknown', 'internal_failure']);

/** Errors of the HTTP server, given before it reads any statement. */
const doorCodes: ReadonlyMap<number, string> = new Map([
  [errorCodes.sessionUnknown, 'session unknown'],
  [errorCodes.switchedOff, 'told of a pause or stop'],
  [errorCodes.forbidden, 'forbidden'],
  [errorCodes.tokenExpired, 'token expired'],
  [errorCodes.unauthenticated, 'unauthenticated'],
  [errorCodes.rateLimited, 'rate limited'],
]);

export function ofResult({ isError, content }: ToolResult): Outcome {
  if (isError !== true) return { outcome: 'answered', how: 'answered' };
  const text = content?.[0]?.text ?? '';
  if (text.includes('This request was under way')) return { outcome: 'unknown', how: 'cut off by a pause or stop' };
  const word = /^[a-z_]+(?=:)/.exec(text)?.[0] ?? 'an error without a word';
  return { outcome: unsureWords.has(word) ? 'unknown' : 'refused', how: word };
}

/**
 * From the error that an SDK threw: only its message is common to both SDKs and both transports.
 */
export function ofThrown(error: unknown): Outcome {
  const { message, code } = error as { message?: string; code?: unknown };
  for (const [doorCode, how] of doorCodes) {
    if (code === doorCode || message?.includes(String(doorCode)))
      return message?.includes('under way')
        ? { outcome: 'unknown', how: 'cut off by a pause or stop' }
        : { outcome: 'refused', how };
  }
  if (isNobodyThere(error)) return { outcome: 'refused', how: 'nobody listens' };
  return { outcome: 'unknown', how: 'connection lost' };
}

function isNobodyThere(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === 'ECONNREFUSED') || isNobodyThere(error.cause);
}
