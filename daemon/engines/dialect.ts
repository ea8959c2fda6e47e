/**
 * What the engines write and say differently about SQL that is text alone: names, values, and
 * advice. Pure functions and plain values.
 */

import type { DatabaseFailure, Parameter } from './request.ts';

/** Each with its column's type, as the engine names it. */
export type Key = readonly { readonly value: Parameter; readonly type: string }[];

export type QueryFailed = Extract<DatabaseFailure, { kind: 'query_failed' }>;

/** What an error says, where something is done about it. */
export type ErrorMeaning =
  | 'unknown table'
  | 'unknown column'
  | 'unknown schema'
  | 'unknown database'
  /** A name alone, on a connection that has no database of its own. */
  | 'no database'
  /** A text that is no value of its type, an enum among others. */
  | 'no such value'
  /** A value cut to what the column holds, an enum among others. */
  | 'cut value'
  | 'broken check'
  /** A lock was not to be had in time. */
  | 'locked'
  /** Another session changed the same rows meanwhile, so that it may be tried again. */
  | 'conflict'
  /** It met others in another way: a deadlock, a cancel from elsewhere. */
  | 'interrupted';

export interface Dialect {
  /** A name in quotes. */
  quote(name: string): string;
  /** What needs no quotes, unless it is reserved. */
  readonly plainName: RegExp;
  /** Those that a statement may not have for a name, unless they are quoted. Lower case. */
  readonly reservedWords: ReadonlySet<string>;
  /** A schema that nobody writes before a name. */
  readonly unwrittenSchema?: string;
  /** What a value is cast to, to be text. */
  readonly textType: string;
  /** Of a column that is numbered by itself, in a description's line. */
  numbered(generated: 'always' | 'by_default'): string;
  /**
   * Reads one row of a table as the statement before it left it.
   * @param columns of the key, quoted.
   */
  rowUnder(
    table: string,
    columns: readonly string[],
    key: Key,
  ): { readonly sql: string; readonly parameters: readonly Parameter[] };
  /**
   * What a client gave for parameters, as the engine takes it.
   * @returns null where it doesn't take one of them.
   */
  parameters(sql: string, given: readonly unknown[]): readonly Parameter[] | null;
  /**
   * What is wrong with a statement that failed with these parameters, where it may be they.
   * @param given one at least.
   */
  parameterAdvice?(sql: string, given: readonly unknown[], failure: string): string | null;
  /** Where a parameter is binary as answers show it, and is taken for text. */
  readonly shownBinaryWarning?: string;
  /**
   * Sentences on what the text of a statement asks of its session, in which nothing of an earlier
   * call is.
   */
  sessionWarnings?(sql: string): readonly string[];
  /** Null where nothing is done about it. */
  meaning(failure: QueryFailed): ErrorMeaning | null;
  /**
   * The name that such an error is about, from its first line; absent where it stands there in
   * quotes.
   */
  nameIn?(message: string): string | null;
  /** Asks for the values of an enum, by its name; absent where a column tells its own. */
  readonly labelsOfType?: string;
  /**
   * Codes of what may come of a RETURNING that we add, and comes before anything is done, each with
   * a clause.
   */
  readonly refusesReturning?: Readonly<Record<string, string>>;
  /**
   * A short sentence for an error that models meet often and whose words leave them stuck: only
   * where it is certain what to write.
   */
  failureAdvice?(failure: QueryFailed, sql: string): string | null;
  /** Behind the error of an unknown column whose name stands in double quotes. */
  readonly doubleQuotesAdvice?: string;
}

export function isScalar(value: unknown): value is Parameter {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** Of an engine that takes no lists and objects. */
export function scalars(_sql: string, given: readonly unknown[]): readonly Parameter[] | null {
  return given.every(isScalar) ? given : null;
}

/**
 * Of an engine that has no literal of its own for each value of a key.
 * @param sign what stands for the parameter of that number.
 */
export function rowByParameters(sign: (number: number) => string): Dialect['rowUnder'] {
  return (table, columns, key) => ({
    sql: `SELECT r.* FROM ${table} AS r WHERE ${columns.map((column, at) => `r.${column} = ${sign(at + 1)}`).join(' AND ')}`,
    parameters: key.map(({ value }) => value),
  });
}

export const shownBinaryIsText =
  'A parameter that begins with \\x is text here, not the binary that answers show so: give its digits alone, and write UNHEX(?).';

export function byCode(meanings: Readonly<Record<string, ErrorMeaning>>): Dialect['meaning'] {
  return ({ code }) => meanings[code ?? ''] ?? null;
}

export const notReturned = 'the statement cannot be made to return what it changes';

export function wordsOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}
