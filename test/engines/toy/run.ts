/** Runs one statement on the tables of a link. The second wall: a read never reaches a write. */

import type { Answer, Changes, RowSink, StatementOutcome, StatementRequest } from '../../../daemon/engines/engine.ts';
import { noCuts } from '../../../daemon/engines/row-text.ts';
import type { Link, Table } from './link.ts';
import { parse, type Statement } from './run/statement.ts';

type Asked = Pick<StatementRequest, 'sql' | 'parameters' | 'session' | 'mayCommit'>;

export async function run(
  dialled: Answer<Link>,
  { sql, parameters, session, mayCommit }: Asked,
  sink: RowSink,
  changed: (changes: Changes) => void = () => {},
): Promise<StatementOutcome> {
  if (dialled.kind !== 'done') return dialled;
  const link = dialled.value;
  const statement = parse(sql);
  const before = statement && link.read(statement.table);
  if (!statement || !before) return failed(statement ? `no such table: ${statement.table}` : 'syntax error');
  if (session === 'read' && statement.verb !== 'select')
    return { kind: 'read_only', message: 'This session only reads.' };
  try {
    const { columns, rows, after, affected } = statement.on(before, parameters);
    if (columns !== null) sink.columns(columns.map(name => ({ name, type: 'text' })));
    for (const row of rows) if (!sink.row({ json: JSON.stringify(row), cuts: noCuts })) break;
    const changes = changesOf(statement, before, affected);
    changed(changes);
    const isKept = (await mayCommit?.(changes, askNothing)) ?? true;
    if (!isKept) return { kind: 'not_committed', remains: [] };
    if (after !== before) link.write(statement.table, after);
    return { kind: 'done', rowsAffected: columns === null ? affected : null, cutByWire: false, warnings: [] };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function changesOf({ verb, table }: Statement, { rows }: Table, affected: number): Changes {
  const isWhole = rows.length > 1 && affected === rows.length;
  const change = {
    ...{ table, updated: verb === 'update' ? affected : 0, deleted: verb === 'delete' ? affected : 0 },
    ...{ isEmptied: isWhole && verb === 'delete', isChangedWhole: isWhole },
  };
  return { tables: change.updated + change.deleted > 0 ? [change] : [], uncounted: null };
}

const askNothing = async (): Promise<Answer<never>> => failed('nothing can be asked within it');

function failed(message: string) {
  return { kind: 'query_failed', message, code: null } as const;
}
