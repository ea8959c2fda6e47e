/**
 * Refuses a definition whose foreign key refers to columns that are no key. SQLite accepts it, and
 * afterwards no program can delete or update a row of the referenced table.
 */

import { quoteIdentifier } from '../../../guard/identifiers.ts';
import type { Prepared } from './prepared.ts';
import type { Handle } from './session.ts';

/** Call it after the statement, in its transaction. */
export function expectKeysReferredTo(handle: Handle, { source, writes }: Prepared): void {
  if (!/\breferences\b/i.test(source)) return;
  for (const { act, schema } of writes) {
    if (schema !== 'main' || !['CREATE_TABLE', 'ALTER_TABLE'].includes(act[0])) continue;
    // Preparing it checks the keys; running it would check rows.
    handle.prepare(`pragma main.foreign_key_check(${quoteIdentifier('sqlite', act[1])})`);
  }
}
