/**
 * Why Sallyport pauses by itself (spec §1): store, secrets or reserve aren't as they were left, or
 * couldn't be written, so access that was taken from clients may be back. Decides nothing; the
 * activity log's chain, the reader of the reserve, or what takes access away finds it.
 */

import type { Note } from '../../shared/note.ts';
import { shownName } from '../../shared/shown-text.ts';
import type { Connection } from './connection.ts';

export const storeDoubts = ['older_store', 'older_secrets', 'damaged_reserve', 'not_kept'] as const;
export type StoreDoubt = (typeof storeDoubts)[number];

const found: Readonly<Record<StoreDoubt, string>> = {
  older_store:
    'the store is older than the activity log shows, or cut, so a pause, a level or a removal that you set may be lost',
  older_secrets:
    'the secrets are older than the store shows, or cut, so a token that you narrowed may have its former rights',
  damaged_reserve:
    'the file `reserve` in its home is damaged, so a pause, a level or a removal that you set may be lost',
  not_kept:
    'something that you took from AI clients could not be stored, so a start gives it back unless you take it away again',
};

/** The notes that `status` shows. */
export function doubtNotes(doubts: readonly StoreDoubt[]): Note[] {
  return doubts.map(doubt => ({
    code: 'started_paused',
    sentence: `Sallyport ${doubt === 'not_kept' ? 'paused by itself' : 'started paused'}: ${found[doubt]}.`,
    advice: 'look at `sallyport connections list` and `sallyport tokens list`, then run `sallyport resume`',
  }));
}

/** The part of a sentence for the activity log, and for the person who resumes. */
export function doubtClause(doubt: StoreDoubt): string {
  return found[doubt];
}

export const takenBackReason = 'The store gave clients more of it than you had left them; that was undone.';

/** About a connection as the store had it. */
export function takenBackNote({ name }: Pick<Connection, 'name'>): Note {
  return {
    code: 'taken_back',
    sentence: `The store gave AI clients more of ${JSON.stringify(shownName(name))} than you had left them; that was undone. The store is an older copy, or somebody edited it.`,
    advice: 'look at the connection (`sallyport connections list`, `connections removed`)',
  };
}
