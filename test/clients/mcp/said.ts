/** A refusal as a client with a token of that scope reads it. */

import { ProtocolError } from '@modelcontextprotocol/server';
import type { Scope } from '../../../daemon/access/tokens/token.ts';
import { wordsOf } from '../../../daemon/clients/mcp/refusal-words.ts';
import type { Refusal } from '../../../daemon/refusal.ts';

/**
 * @returns the word and the sentence of a tool error, the sentence of any other; `cancelled` if
 *   nobody hears it.
 */
export function saidOf(refusal: Refusal, scope: Scope = 'fullAccess'): string {
  if (refusal.kind === 'cancelled') return refusal.kind;
  const worded = wordsOf(refusal, scope);
  return worded instanceof ProtocolError ? worded.message : `${worded.word}: ${worded.sentence}`;
}
