/** A sink that keeps what it is given, and says no after `most` rows. */

import type {
  Cell,
  Column,
  Database,
  RowSink,
  StatementOutcome,
  StatementRequest,
} from '../../daemon/query/database.ts';

export interface Collected {
  readonly outcome: StatementOutcome;
  readonly columns: readonly Column[] | null;
  readonly rows: readonly (readonly Cell[])[];
}

export async function collect(
  database: Database,
  sql: string,
  changed: Partial<Omit<StatementRequest, 'sql'>> & { readonly most?: number } = {},
): Promise<Collected> {
  const { most = Number.POSITIVE_INFINITY, ...request } = changed;
  let columns: readonly Column[] | null = null;
  let ended = false;
  const rows: (readonly Cell[])[] = [];
  const sink: RowSink = {
    columns(given) {
      if (columns !== null || rows.length > 0) throw new Error('columns must come once, before any row');
      columns = given;
    },
    row(cells) {
      if (columns === null) throw new Error('a row came before the columns');
      if (ended) throw new Error('a row came after the sink said no');
      rows.push(cells);
      ended = rows.length >= most;
      return !ended;
    },
  };
  const outcome = await database.run({ ...call, signal: new AbortController().signal, ...request, sql }, sink);
  return { outcome, columns, rows };
}

export const call = {
  principal: null,
  client: 'suite',
  database: null,
  schema: null,
  timeoutSeconds: 30,
  signal: new AbortController().signal,
  parameters: [],
  session: 'read',
  limits: { cellBytes: 65_536, wireBytes: 48 * 1024 * 1024 },
} as const;
