/**
 * What a statement takes (spec §12), as plain data: it is shown before the approval and compared
 * with what the run takes.
 */

import type { AddedRows, RowCounts } from '../request.ts';

export interface TakenTable {
  /** The unquoted name, as `RowCounts` has it. */
  readonly name: string;
  /**
   * `altered`: table and rows stay, except for what the statement names. `rights`: it changes who
   * may read or change the table.
   */
  readonly act: 'emptied' | 'dropped' | 'deleted' | 'updated' | 'altered' | 'rights';
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

export interface TakenObject {
  readonly act: 'dropped' | 'altered' | 'rights';
  /** In the engine's words: `view public.totals`. */
  readonly name: string;
}

export interface Taken {
  readonly tables: readonly TakenTable[];
  /** What it takes besides tables. */
  readonly objects: readonly TakenObject[];
  /** Rows that are added, if they are many; absent if none are. */
  readonly added?: readonly AddedRows[];
  /** Sentences on what could not be counted, and why. */
  readonly notes: readonly string[];
  /** True if a note says that more may be taken than can be counted. */
  readonly isOpen: boolean;
  /** True if the run can't be rolled back, so it can't be held to this; a note says so. */
  readonly isUnheld?: boolean;
  /** For a plan: what each of its statements takes. */
  readonly steps?: readonly Taken[];
}

/** What the steps of a plan take together. A row that two of them take is counted twice. */
export function takenTogether(steps: readonly Taken[]): Taken {
  const tables = new Map<string, TakenTable>();
  for (const table of steps.flatMap(step => step.tables)) {
    const key = JSON.stringify([table.name, table.act]);
    const other = tables.get(key);
    tables.set(key, other === undefined ? table : sumOf(other, table));
  }
  const objects = steps.flatMap(step => step.objects);
  return {
    tables: [...tables.values()],
    objects: [...new Map(objects.map(object => [JSON.stringify(object), object])).values()],
    added: steps.flatMap(({ added = [] }) => added),
    notes: steps.some(({ notes }) => notes.length > 0) ? [seeEach] : [],
    isOpen: steps.some(({ isOpen }) => isOpen),
    steps,
  };
}

const seeEach = 'Not all that the steps take could be counted: see what each says.';

function sumOf(one: TakenTable, other: TakenTable): TakenTable {
  const rows = one.rows === null || other.rows === null ? null : one.rows + other.rows;
  return {
    ...one,
    rows,
    isAll: false,
    isMost: one.isMost || other.isMost,
    isEstimate: one.isEstimate || other.isEstimate,
    because: one.because === null ? null : other.because,
  };
}

export const byCascade = 'by a cascade or a trigger';

/** It is known that nothing is taken of what is there now. */
export const takesNothing: Taken = { tables: [], objects: [], notes: [], isOpen: false };

export const uncountedBecause = (why: string): string => `Its rows were not counted, because ${why}.`;

export function notCounted(why: string): Taken {
  return { ...takesNothing, notes: [why] };
}

/** What is told of a statement if neither its text nor the catalog says what it reaches. */
export const untold: Taken = notCounted(
  uncountedBecause('the database doesn’t tell which ones a statement of this kind reaches'),
);

const codeIsCounted =
  'What the code that it calls takes is counted as it runs: before it takes rows that are not named here, you are asked again.';

const codeCommits =
  "What the code that it calls takes is not counted: it commits by itself, and what it took can't be rolled back.";

/** What is told of a statement that calls code, which no trial can run. */
export function codeIsCalled(commits: boolean): Taken {
  return notCounted(commits ? codeCommits : codeIsCounted);
}

/**
 * What is taken by the changes of a trial, or of the run itself.
 * @param isNamed tells whether the statement names the table.
 */
export function takenByChanges(
  { tables, uncounted, added = [] }: RowCounts,
  isNamed: (table: string) => boolean,
): Taken {
  const counted = (
    { table: name, isMost = false }: RowCounts['tables'][number],
    act: TakenTable['act'],
    rows: number,
    isAll: boolean,
  ): TakenTable => ({
    name,
    act,
    rows,
    isAll: isAll && !isMost,
    isEstimate: false,
    isMost,
    because: isNamed(name) ? null : byCascade,
  });
  return {
    tables: tables.flatMap(table => {
      const { updated, deleted, isEmptied, isChangedWhole } = table;
      return [
        ...(deleted > 0 ? [counted(table, 'deleted', deleted, isEmptied)] : []),
        ...(updated > 0 ? [counted(table, 'updated', updated, isChangedWhole && deleted === 0)] : []),
      ];
    }),
    objects: [],
    notes: uncounted === null ? [] : [`Not all that it changes can be counted, because ${uncounted}.`],
    added: added.filter(({ rows }) => rows >= manyAdded),
    isOpen: uncounted !== null,
  };
}

/** Fewer added rows are no reason to ask. */
const manyAdded = 1_000;

/** A run may take so many rows more than were shown, or a tenth more if that is more. */
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
  const losing = (act: TakenTable['act']) => (/^(updated|altered|rights)$/.test(act) ? act : 'lost');
  const isShown = (table: TakenTable) =>
    shown.tables.some(
      ({ name, act, rows }) =>
        name === table.name &&
        losing(act) === losing(table.act) &&
        (rows === null || table.rows === null || table.rows <= mostRows(rows)),
    );
  if (taken.isOpen && !shown.isOpen) return true;
  const isNamed = (object: TakenObject) =>
    shown.objects.some(({ act, name }) => act === object.act && name === object.name);
  return !taken.tables.every(isShown) || !taken.objects.every(isNamed);
}
