/**
 * What the engines write and say differently about SQL as text: names, values, advice. Pure
 * functions and plain values.
 */

import type { DatabaseFailure, Parameter } from './request.ts';

/** Each value with its column's type, as the engine names it. */
export type Key = readonly { readonly value: Parameter; readonly type: string }[];

export type QueryFailed = Extract<DatabaseFailure, { kind: 'query_failed' }>;

/** The kinds of error that Sallyport reacts to. */
export type ErrorMeaning =
  | 'unknown table'
  | 'unknown column'
  | 'unknown schema'
  | 'unknown database'
  /** A bare name on a connection without a database. */
  | 'no database'
  /** A text that is no value of its type, an enum for example. */
  | 'no such value'
  /** A value cut to the column's length, an enum for example. */
  | 'cut value'
  | 'broken check'
  /** Another session changed the same rows: the statement may be tried again. */
  | 'conflict'
  /** Another conflict with a session: a deadlock, a cancel from elsewhere. */
  | 'interrupted';

export interface CommonValuesAsked {
  /** Null: every schema. */
  readonly schema: string | null;
  readonly tables: readonly string[];
  readonly columns: readonly string[];
  /** Columns that have more are of no use. */
  readonly mostValues: number;
}

export interface Dialect {
  /** Puts a name in quotes. */
  quote(name: string): string;
  /** Matches names that need no quotes unless they are reserved. */
  readonly plainName: RegExp;
  /** Names that must be quoted. Lower case. */
  readonly reservedWords: ReadonlySet<string>;
  /** The schema that people leave out. */
  readonly unwrittenSchema?: string;
  /** The type that a value is cast to, to become text. */
  readonly textType: string;
  /** True if `=` finds a text in other letters, as the server's usual collations do. */
  readonly foldsCase?: boolean;
  /** How a description marks a column that is numbered by itself. */
  numbered(generated: 'always' | 'by_default'): string;
  /**
   * The statement that reads one row, as the data change before it left it.
   * @param columns of the key, quoted.
   * @param shown quoted; absent for those of `*`.
   */
  rowUnder(
    table: string,
    columns: readonly string[],
    key: Key,
    shown?: readonly string[],
  ): { readonly sql: string; readonly parameters: readonly Parameter[] };
  /**
   * Converts a client's parameters for the engine.
   * @returns null if it takes one of them in no form.
   */
  parameters(sql: string, given: readonly unknown[]): readonly Parameter[] | null;
  /**
   * Advice for a statement that failed with these parameters, or with too few, if they may be the
   * reason.
   */
  parameterAdvice?(sql: string, given: readonly unknown[], failure: string): string | null;
  /** Set if a binary parameter in the form that answers show is taken for text. */
  readonly shownBinaryWarning?: string;
  /**
   * Sentences about values of the session that the text asks for: nothing of an earlier call is in
   * them.
   */
  sessionWarnings?(sql: string): readonly string[];
  /** @returns null if Sallyport doesn't react to it. */
  meaning(failure: QueryFailed): ErrorMeaning | null;
  /** The name that the error's first line is about; absent if the name is quoted there. */
  nameIn?(message: string): string | null;
  /**
   * The query for values that the server's statistics know; absent if a role that only reads has
   * none. Its rows: schema, table, column, whether with inheriting tables, the share of nulls,
   * a JSON list of the values' shares, a JSON list of the values or null.
   */
  commonValues?(asked: CommonValuesAsked): string;
  /** The query for an enum's labels, by type name; absent if the column itself tells them. */
  readonly labelsOfType?: string;
  /** Errors that an added RETURNING may cause before anything is done; each has a clause. */
  readonly refusesReturning?: Readonly<Record<string, string>>;
  /**
   * A short sentence for an error that models meet often and can't solve by its words; only if it
   * is certain what to write.
   */
  failureAdvice?(failure: QueryFailed, sql: string): string | null;
  /** Added to the error of an unknown column in double quotes. */
  readonly doubleQuotesAdvice?: string;
}

export function isScalar(value: unknown): value is Parameter {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** `parameters` for an engine that takes no lists and objects; null if one was given. */
export function scalars(_sql: string, given: readonly unknown[]): readonly Parameter[] | null {
  return given.every(isScalar) ? given : null;
}

/**
 * `rowUnder` for an engine that has no literal for each value of a key.
 * @param sign the placeholder of the parameter with that number.
 */
export function rowByParameters(sign: (number: number) => string): Dialect['rowUnder'] {
  return (table, columns, key, shown = ['*']) => ({
    sql: `SELECT ${shown.map(column => `r.${column}`).join(', ')} FROM ${table} AS r WHERE ${columns.map((column, at) => `r.${column} = ${sign(at + 1)}`).join(' AND ')}`,
    parameters: key.map(({ value }) => value),
  });
}

export const shownBinaryIsText =
  'A parameter that begins with \\x is text here, not the binary that answers show so: give its digits alone, and write UNHEX(?).';

/** @returns null where what it had done stays. */
export function sendAgain({ stays }: QueryFailed): string | null {
  return stays === true ? null : 'Another session was in its way. Send it again.';
}

export function byCode(meanings: Readonly<Record<string, ErrorMeaning>>): Dialect['meaning'] {
  return ({ code }) => meanings[code ?? ''] ?? null;
}

export const notReturned = 'the statement cannot be made to return what it changes';

export function wordsOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/**
 * For a connection that keeps tables or columns from clients: statistics tell of those too, so its
 * guard refuses them. What they would have told is read from the first rows.
 */
export function withoutStatistics({ commonValues: _, ...others }: Dialect): Dialect {
  return others;
}
