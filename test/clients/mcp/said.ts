/** A refusal as a client with a token of that scope reads it. */

import { ProtocolError } from '@modelcontextprotocol/server';
import type { Scope } from '../../../daemon/access/tokens/token.ts';
import { askedSentences, wordsOf } from '../../../daemon/clients/mcp/refusal-words.ts';
import { statementRan } from '../../../daemon/clients/mcp/request-access.ts';
import type { Refusal } from '../../../daemon/refusal.ts';
import { beginsWith } from '../../begins-with.ts';

/**
 * @returns the word and the sentence of a tool error, the sentence of any other; `cancelled` if
 *   nobody hears it.
 */
export function saidOf(refusal: Refusal, scope: Scope = 'fullAccess'): string {
  if (refusal.kind === 'cancelled') return refusal.kind;
  const worded = wordsOf(refusal, scope);
  return worded instanceof ProtocolError ? worded.message : `${worded.word}: ${worded.sentence}`;
}

/** What a client reads that sends again what waits for the user, at any time of the day. */
export const stillWaits = new RegExp(
  `^denied: ${beginsWith(askedSentences.waiting('00:00')).source.slice(1).replace('00:00', '\\d\\d:\\d\\d')}`,
);

/** What it reads once the user has run it. */
export const ranByUser = `"note":"${statementRan} `;
