/**
 * What a preview will do, as an engine's reader of the statement makes it: the text that is sent, and how the rows that
 * it changes are found. Runs nothing.
 */

import type { Answer, DatabaseFailure } from '../database.ts';

export type Verb = 'insert' | 'replace' | 'update' | 'delete' | 'merge';

/** How a failure that only a commit would show is brought forward. */
export type CommitCheck =
  | { readonly kind: 'none' }
  /** A statement that fails where the commit would. */
  | { readonly kind: 'statement'; readonly sql: string }
  /** A question for the number of broken rules, asked before and after: a commit fails where it grew. */
  | { readonly kind: 'count'; readonly sql: string };

export interface Plan {
  readonly verb: Verb;
  /** The client's statement, alone or with what `adds` says behind it. */
  readonly sql: string;
  /** The client's statement as it came. */
  readonly bare: string;
  /** What each returned row ends with because we asked for it: the row's key, the row, or nothing. */
  readonly adds: 'key' | 'row' | null;
  /** True where the client's own RETURNING gives rows: what comes before that which `adds` names. */
  readonly ownReturning: boolean;
  /** True where the engine gives no count beside returned rows. */
  readonly countsRows: boolean;
  /** The changed table as FROM takes it, quoted. */
  readonly target: string;
  /** The key's columns, quoted; empty where rows can't be told apart. */
  readonly key: readonly string[];
  /** True where the statement gives rows another key, so that the row before can't be found by the key after. */
  readonly movesKeys: boolean;
  /** True for an INSERT or REPLACE that may change or remove rows that were there. */
  readonly mayReplace: boolean;
  /**
   * Asks for the keys of rows that the statement will probably change, where it can't return them. Only those are shown
   * that did change: a wrong guess costs a row of the sample, and makes none wrong.
   */
  readonly candidates: string | null;
  /** Where the statement returns nothing: asks after it for the first key it made. */
  readonly firstMadeKey: string | null;
  /** Why there is no sample; null where one is tried. */
  readonly noSample: string | null;
  readonly commitCheck: CommitCheck;
  readonly warnings: readonly string[];
}

export type Planned =
  | { readonly kind: 'planned'; readonly plan: Plan }
  /** What can't be rolled back, or may be such. */
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

export function refusedPlan(sentence: string): Planned {
  return { kind: 'refused', sentence };
}

/** @param plan `failed` where the statement could not be read in time. */
export function planned(plan: Answer<Plan>): Planned {
  return plan.kind === 'done' ? { kind: 'planned', plan: plan.value } : { kind: 'failed', failure: plan };
}

export function done<Value>(value: Value): Answer<Value> {
  return { kind: 'done', value };
}

/** @param tables whose foreign keys follow what is removed here. */
export function cascadeWarning(tables: readonly string[]): readonly string[] {
  if (tables.length === 0) return [];
  return [`Foreign keys carry this on to rows of ${listed(tables)}, which rows_affected leaves out.`];
}

const mostNamed = 10;

export function listed(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  const shown = names
    .slice(0, mostNamed)
    .map(name => JSON.stringify(name))
    .join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** What a statement gets whose rows can't be shown. */
export const unsampled = {
  adds: null,
  ownReturning: false,
  countsRows: false,
  target: '',
  key: [],
  movesKeys: false,
  mayReplace: false,
  candidates: null,
  firstMadeKey: null,
  commitCheck: { kind: 'none' },
} as const satisfies Partial<Plan>;

/**
 * The text with `ending` behind it, on a line of its own, so that no comment at its end swallows it. A trailing semicolon is
 * left out.
 * @param isSound whether the engine's own reading finds in the new text the old statement and the ending, and nothing else.
 */
export function withEnding(sql: string, ending: string, isSound: (text: string) => boolean): string | null {
  let end = sql.length;
  for (let tries = 0; tries < mostSemicolons && end >= 0; tries++) {
    const text = `${sql.slice(0, end)}\n${ending}`;
    if (isSound(text)) return text;
    end = end === 0 ? -1 : sql.lastIndexOf(';', end - 1);
  }
  return null;
}

/** Semicolons looked at from the end: the statement's own, and those in comments behind it. */
const mostSemicolons = 8;
