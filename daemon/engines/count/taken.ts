/**
 * What a statement takes: shown before the approval, and compared with what its run takes (spec
 * §12). Plain data.
 */

import type { AddedRows, RowCounts } from '../request.ts';

export interface TakenTable {
  /** The unquoted name, as `RowCounts` has it. */
  readonly name: string;
  /** `altered`: table and rows stay, except for what the statement names. */
  readonly how: 'emptied' | 'dropped' | 'deleted' | 'updated' | 'altered';
  /** Null if neither a count nor an estimate was available. */
  readonly rows: number | null;
  readonly isEstimate: boolean;
  /** True if the statement takes these rows or fewer: they are all that the table has. */
  readonly isMost: boolean;
  /** True if the statement takes every row of the table. */
  readonly isAll: boolean;
  /** A clause if the statement doesn't name the table: `a child of shop.scratch`. */
  readonly because: string | null;
}

export interface Taken {
  readonly tables: readonly TakenTable[];
  /** Other objects that are dropped, in the engine's words: `view public.totals`. */
  readonly falls: readonly string[];
  /** Rows that are added, if they are many; absent if none are. */
  readonly added?: readonly AddedRows[];
  /** Sentences: what could not be counted, and why. */
  readonly notes: readonly string[];
  /** True if a note says that more may be taken than can be counted. */
  readonly isOpen: boolean;
  /** True if the run can't be rolled back, so it can't be held to this; a note says so. */
  readonly isUnheld?: boolean;
}

export const takesNothingKnown: Taken = { tables: [], falls: [], notes: [], isOpen: false };

export function notCounted(why: string): Taken {
  return { ...takesNothingKnown, notes: [why] };
}

const codeIsCounted =
  'What the code that it calls takes is counted as it runs: before it takes rows that are not named here, you are asked again.';

const codeCommits =
  "What the code that it calls takes is not counted: it commits by itself, and what it took can't be rolled back.";

/** For a call of code, which no trial can run. */
export function codeIsCalled(commits: boolean): Taken {
  return notCounted(commits ? codeCommits : codeIsCounted);
}

/**
 * What a trial, or the run itself, changed.
 * @param isNamed tells whether the statement names the table.
 */
export function takenByChanges(
  { tables, uncounted, added = [] }: RowCounts,
  isNamed: (table: string) => boolean,
): Taken {
  const counted = (name: string, how: TakenTable['how'], rows: number, isAll: boolean): TakenTable => ({
    name,
    how,
    rows,
    isAll,
    isEstimate: false,
    isMost: false,
    because: isNamed(name) ? null : 'by a cascade or a trigger',
  });
  return {
    tables: tables.flatMap(({ table, updated, deleted, isEmptied, isChangedWhole }) => [
      ...(deleted > 0 ? [counted(table, 'deleted', deleted, isEmptied)] : []),
      ...(updated > 0 ? [counted(table, 'updated', updated, isChangedWhole && deleted === 0)] : []),
    ]),
    falls: [],
    notes: uncounted === null ? [] : [`Not all that it changes can be counted, because ${uncounted}.`],
    added: added.filter(({ rows }) => rows >= manyAdded),
    isOpen: uncounted !== null,
  };
}

/** Fewer are no reason to ask. */
const manyAdded = 1_000;

/** The least excess over the shown rows that counts as one; else a tenth of them. */
const leastMargin = 10;

/** @returns how many rows a run may take from a table that was shown with `shown`. */
export function mostRows(shown: number): number {
  return shown + Math.max(leastMargin, Math.floor(shown / 10));
}

/**
 * True if a run takes a table or object that wasn't shown, or more rows than shown plus a margin.
 * Fewer rows are fine.
 */
export function exceeds(taken: Taken, shown: Taken): boolean {
  const losing = (how: TakenTable['how']) => (how === 'updated' || how === 'altered' ? how : 'lost');
  const isShown = (table: TakenTable) =>
    shown.tables.some(
      ({ name, how, rows }) =>
        name === table.name &&
        losing(how) === losing(table.how) &&
        (rows === null || table.rows === null || table.rows <= mostRows(rows)),
    );
  if (taken.isOpen && !shown.isOpen) return true;
  return !taken.tables.every(isShown) || !taken.falls.every(object => shown.falls.includes(object));
}
