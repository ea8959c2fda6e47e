/** What a server says of a failure, without the names of tables that are out of sight. */

import type { Answer, DatabaseFailure } from '../engine.ts';
import { type Hidden, namesNone } from './description.ts';

/** What is said instead of a server's words that name a hidden table. */
const unsaid = 'The server refused it for a reason that this connection does not show.';

/**
 * @param sql the client's statement: what it names itself may be said.
 * @param ask which tables are hidden; asked only if the server said something.
 * @returns the outcome with its code, and other words if its own name a hidden table.
 */
export async function withoutNames<Outcome extends { readonly kind: string }>(
  outcome: Outcome | DatabaseFailure,
  sql: string,
  ask: () => Promise<Answer<Hidden>>,
): Promise<Outcome | DatabaseFailure> {
  const texts = textsOf(outcome);
  if (texts.length === 0) return outcome;
  const hidden = await ask();
  if (hidden.kind !== 'done') return isSame(hidden, outcome) ? outcome : silenced(outcome);
  const written = new Set(sql.toLowerCase().match(/[\p{L}\p{N}_$]+/gu));
  const { isNamed } = hidden.value;
  const others: Hidden = {
    ...hidden.value,
    isNamed: (schema, name) => !written.has(name.toLowerCase()) && isNamed(schema, name),
  };
  return texts.every(text => namesNone(text, others)) ? outcome : silenced(outcome);
}

function silenced<Outcome extends object>(outcome: Outcome): Outcome {
  return {
    ...outcome,
    ...('warnings' in outcome && { warnings: [] }),
    ...('message' in outcome && { message: unsaid }),
    ...('said' in outcome && outcome.said !== null && { said: unsaid }),
  };
}

/** What keeps us from asking isn't about the statement. */
function isSame(one: DatabaseFailure, other: object): boolean {
  return 'message' in one && 'message' in other && one.message === other.message;
}

function textsOf(outcome: { readonly kind: string; readonly warnings?: unknown }): readonly string[] {
  // Of a server that isn't reached, the words are ours.
  if (outcome.kind === 'not_connected' || outcome.kind === 'unsupported') return [];
  if (Array.isArray(outcome.warnings)) return outcome.warnings.filter(text => typeof text === 'string');
  const { message, said } = outcome as { readonly message?: unknown; readonly said?: unknown };
  return [message, said].filter(text => typeof text === 'string');
}
