/** The columns of a table or view in an SQLite file, as far as SQLite can tell them. */

import { answered, answering } from '../../answering.ts';
import type { TableColumn } from '../../engine.ts';
import { type LookUp, type Row, text, textOrNull } from '../look-up.ts';
import type { Schema } from '../schema.ts';
import { generatedIn } from './generated.ts';

interface Described {
  readonly name: string;
  readonly isTable: boolean;
  readonly isWithoutRowid: boolean;
  readonly definition: string;
}

interface Columns {
  readonly columns: readonly TableColumn[];
  readonly primaryKey: readonly string[];
  /** A sentence on why there are none; null if they are told. */
  readonly untold: string | null;
}

export async function columnsOf(lookUp: LookUp, schema: Schema, described: Described): Promise<Columns> {
  // hidden: 1 a virtual table's own, 2 generated virtual, 3 generated stored
  const sql =
    'select name, type, "notnull", dflt_value, pk, hidden from temp.pragma_table_xinfo(?, ?) where hidden <> 1 order by cid';
  const answer = await answering(() => lookUp(sql, described.name, schema));
  // A view on a missing table, or a virtual table without its module, must not spoil the rest of
  // the description.
  if (answer.kind === 'query_failed' && !described.isTable)
    return { columns: [], primaryKey: [], untold: `SQLite can't tell its columns: ${answer.message}` };
  return columnsIn(answered(answer), described);
}

function columnsIn(rows: readonly Row[], { isWithoutRowid, definition }: Described): Columns {
  const keyed = rows.filter(row => row[4] !== 0).sort((one, other) => Number(one[4]) - Number(other[4]));
  const isRowid = (row: Row) =>
    row[4] !== 0 && keyed.length === 1 && !isWithoutRowid && text(row[1]).toUpperCase() === 'INTEGER';
  const generated = rows.some(row => row[5] !== 0) ? generatedIn(definition) : null;
  return {
    primaryKey: keyed.map(row => text(row[0])),
    columns: rows.map(row => ({
      name: text(row[0]),
      type: text(row[1]),
      // Any other primary key may hold NULL in SQLite.
      nullable: row[2] === 0 && !isRowid(row),
      default: generated?.get(text(row[0])) ?? textOrNull(row[3]),
      generated: row[5] === 2 ? 'virtual' : row[5] === 3 ? 'stored' : isRowid(row) ? 'by_default' : null,
      primaryKey: row[4] !== 0,
      comment: null,
      allowedValues: null,
    })),
    untold: null,
  };
}
