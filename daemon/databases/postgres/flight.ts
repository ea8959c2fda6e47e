/** Statements that travel together and end with one Sync, as `pg` submits them: one round trip, and where one fails none behind it runs. */

import type { Connection, FieldDef, Submittable } from 'pg';
import type { Parameter } from '../../query/database.ts';
import type { ServerError } from './failure.ts';

/** What a column is announced with. */
export type Field = Pick<FieldDef, 'name' | 'dataTypeID' | 'dataTypeModifier'>;

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

/** A hostile server could send tags without end; ours end after four. */
const keptTags = 8;

export class Flight implements Submittable {
  /** Command tags in order: `BEGIN`, `SELECT 1`, `INSERT 0 3`. */
  readonly tags: string[] = [];
  error: ServerError | null = null;
  readonly #statements: readonly Statement[];
  readonly #onColumns: ((fields: readonly Field[]) => void) | null;

  /** @param onColumns of the last statement; with null its rows are dropped. */
  constructor(statements: readonly Statement[], onColumns: ((fields: readonly Field[]) => void) | null) {
    this.#statements = statements;
    this.#onColumns = onColumns;
  }

  /** Called by `pg`, as all below. Values and results are text, all rows wanted. */
  submit(connection: Connection): void {
    connection.stream.cork();
    for (const [index, { sql, parameters }] of this.#statements.entries()) {
      const isTold = this.#onColumns !== null && index === this.#statements.length - 1;
      // So that a server that is alive says so before a long statement ends.
      if (isTold && index > 0) connection.flush();
      connection.parse({ name: '', text: sql, types: [] }, true);
      connection.bind({ values: parameters.map(value => (value === null ? null : String(value))) }, true);
      if (isTold) connection.describe({ type: 'P' }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#onColumns?.(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    if (this.tags.length < keptTags) this.tags.push(text);
  }

  handleError(error: ServerError): void {
    this.error ??= error;
  }

  /** `pg` leaves it out after an error: `Link` hears of the end by `drain`. */
  handleReadyForQuery(): void {}
}
