/**
 * Access requests that wait for the person, in the store (spec §12), so that a restart doesn't lose
 * them. All in one row under one seal: another program's edit loses them, and asks the person
 * nothing. Statements with secrets are not kept.
 */

import type { AskedStatement, KeptRequest } from '../../access/requests/access-requests.ts';
import { holdsSecret, namesSecret } from '../history/statement-secrets.ts';
import { type SealOf, sealed, unsealed } from '../sealed-text.ts';
import { keepValue, keptValue } from './kept-values.ts';
import type { Store } from './store.ts';

/** A key in the table `store`. */
const key = 'waiting-requests';
/** Longer statements are not kept: no more of a text is searched for secrets. */
const longestCharacters = 16 * 1024;

export interface WaitingRequests {
  readonly left: readonly KeptRequest[];
  /** @returns the ids of those that are kept. Never rejects. */
  readonly keep: (waiting: readonly KeptRequest[]) => Promise<ReadonlySet<string>>;
}

export async function waitingRequestsIn(
  store: Pick<Store, 'knex' | 'write'>,
  sealOf: SealOf,
  report: (error: unknown) => void,
): Promise<WaitingRequests> {
  const text = await keptValue(store, 'store', key);
  return {
    // Under our seal it has the shape that was sealed.
    left: text === null ? [] : ((unsealed(sealOf, key, text) as readonly KeptRequest[] | undefined) ?? []),
    async keep(waiting) {
      const kept = waiting.filter(({ facts: { statement } }) => statement === null || mayKeep(statement));
      try {
        await keepValue(store, 'store', key, sealed(sealOf, key, kept));
        return new Set(kept.map(({ id }) => id));
      } catch (error) {
        report(error);
        return new Set();
      }
    },
  };
}

function mayKeep({ text, parameters }: AskedStatement): boolean {
  if (text.length > longestCharacters || holdsSecret(text)) return false;
  const bound = parameters.filter(value => typeof value === 'string');
  return bound.length === 0 || !(namesSecret(text) || bound.some(holdsSecret));
}
