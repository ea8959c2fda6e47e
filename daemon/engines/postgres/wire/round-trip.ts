/**
 * Statements that travel together and end with one Sync, as `pg` submits them: one round trip, and
 * if one fails, those behind it don't run.
 */

import type { Connection, FieldDef, Submittable } from 'pg';
import type { Parameter } from '../../engine.ts';
import type { ServerError } from '../failure.ts';
import type { KeptStatements } from './kept-statements.ts';

/** A column's announcement. */
export type Field = Pick<FieldDef, 'name' | 'dataTypeID' | 'dataTypeModifier'>;

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  /**
   * True for a text of ours, which comes again: the server keeps it parsed and planned as long as
   * the session stays ours.
   */
  readonly isKept?: boolean | undefined;
}

export const plainRollback: Statement = { sql: 'ROLLBACK', parameters: [] };

/**
 * Gets one statement's columns and rows and the round trip's notices; the other statements' rows
 * are dropped.
 */
export interface StatementListener {
  /** Which of the round trip's statements. */
  readonly place: number;
  columns(fields: readonly Field[]): void;
  /** A NoticeResponse; valid until this returns. */
  notice?(message: Buffer): void;
}

const unnamed = { name: '', isThere: false };

export class RoundTrip implements Submittable {
  /** Command tags in order: `BEGIN`, `SELECT 1`, `INSERT 0 3`. */
  readonly tags: string[] = [];
  error: ServerError | null = null;
  readonly #statements: readonly Statement[];
  readonly #told: StatementListener | null;
  readonly #kept: KeptStatements | null;
  /** Texts that it has the server keep, with their places. */
  readonly #new: { readonly index: number; readonly sql: string }[] = [];

  /** @param kept null if the next round trip may run in another session of the server. */
  constructor(statements: readonly Statement[], told: StatementListener | null, kept: KeptStatements | null) {
    this.#statements = statements;
    this.#told = told;
    this.#kept = kept;
  }

  /** Called by `pg`, as all below. Values and results are text; all rows are wanted. */
  submit(connection: Connection): void {
    connection.stream.cork();
    for (const [index, { sql, parameters, isKept }] of this.#statements.entries()) {
      const isTold = this.#told?.place === index;
      // So a living server answers before a long statement ends.
      if (isTold && index > 0) connection.flush();
      const { name, isThere } = (isKept && this.#kept?.named(sql)) || unnamed;
      if (name !== '' && !isThere) this.#new.push({ index, sql });
      if (!isThere) connection.parse({ name, text: sql, types: [] }, true);
      const values = parameters.map(parameterText);
      connection.bind({ statement: name, values }, true);
      if (isTold) connection.describe({ type: 'P' }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#told?.columns(fields);
  }

  /** Called by `Session`; `pg` never sees notices. */
  notice(message: Buffer): void {
    this.#told?.notice?.(message);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    // A hostile server could send tags without end.
    if (this.tags.length < this.#statements.length) this.tags.push(text);
  }

  handleError(error: ServerError): void {
    this.error ??= error;
    for (const { index, sql } of this.#new) if (index >= this.tags.length) this.#kept?.unread(sql);
  }

  /** `pg` leaves this out after an error, so `Session` learns of the end by `drain`. */
  handleReadyForQuery(): void {}
}

/** JavaScript prints -0 as 0. */
function parameterText(value: Parameter): string | null {
  if (value === null) return null;
  return Object.is(value, -0) ? '-0' : String(value);
}
