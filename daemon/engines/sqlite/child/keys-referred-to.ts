/**
 * Refuses a definition whose foreign key refers to what is no key: SQLite takes it, and from then
 * on no program can delete or update a row of the table that it refers to.
 */

import { quoteIdentifier } from '../../../guard/identifiers.ts';
import type { Prepared } from './prepared.ts';
import type { Handle } from './session.ts';

/** To be called once it ran, in its transaction. */
export function expectKeysReferredTo(handle: Handle, { source, writes }: Prepared): void {
  if (!/\breferences\b/i.test(source)) return;
  for (const { act, schema } of writes) {
    if (schema !== 'main' || !['CREATE_TABLE', 'ALTER_TABLE'].includes(act[0])) continue;
    // Preparing it looks for the keys; running it would look at rows.
    handle.prepare(`pragma main.foreign_key_check(${quoteIdentifier('sqlite', act[1])})`);
  }
}
