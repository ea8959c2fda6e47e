/** The columns of a table or view in an SQLite file, as far as SQLite can tell them. */

import { answering, valueOrThrow } from '../../answering.ts';
import type { TableColumn } from '../../engine.ts';
import { type LookUp, type Row, text, textOrNull } from '../look-up.ts';
import type { Schema } from '../schema.ts';
import type { Constraints } from './constraints.ts';

interface Described {
  readonly name: string;
  readonly isTable: boolean;
  readonly constraints: Constraints;
}

interface Columns {
  readonly columns: readonly TableColumn[];
  readonly primaryKey: readonly string[];
  /** A sentence on why there are none; null if they are told. */
  readonly untold: string | null;
}

export async function columnsOf(lookUp: LookUp, schema: Schema, described: Described): Promise<Columns> {
  // hidden: 1 a virtual table's own, 2 generated virtual, 3 generated stored. A key without an
  // index is the rowid.
  const sql = `select name, type, "notnull", dflt_value, pk, hidden,
    not exists (select 1 from temp.pragma_index_list(?, ?) where origin = 'pk')
    from temp.pragma_table_xinfo(?, ?) where hidden <> 1 order by cid`;
  const answer = await answering(() => lookUp(sql, described.name, schema, described.name, schema));
  // A view on a missing table, or a virtual table without its module, must not spoil the rest of
  // the description.
  if (answer.kind === 'query_failed' && !described.isTable)
    return { columns: [], primaryKey: [], untold: `SQLite can't tell its columns: ${answer.message}` };
  return columnsIn(valueOrThrow(answer), described);
}

function columnsIn(rows: readonly Row[], { constraints }: Described): Columns {
  const keyed = rows.filter(row => row[4] !== 0).sort((one, other) => Number(one[4]) - Number(other[4]));
  const isRowid = (row: Row) => row[4] !== 0 && row[6] === 1;
  return {
    primaryKey: keyed.map(row => text(row[0])),
    columns: rows.map(row => {
      const name = text(row[0]).toLowerCase();
      const { collation, expression } = constraints.columns.get(name) ?? {};
      const notNull = constraints.rules.find(({ kind, columns: [of] }) => kind === 'not null' && of === name);
      return {
        name: text(row[0]),
        type: text(row[1]),
        // Any other primary key may hold NULL in SQLite.
        nullable: row[2] === 0 && !isRowid(row),
        ...(notNull?.state && { notNullState: notNull.state }),
        ...(collation !== undefined && !/^binary$/i.test(collation) && { terms: [`collate ${collation}`] }),
        default: row[5] === 0 ? defaultText(textOrNull(row[3])) : (expression ?? null),
        generated: row[5] === 2 ? 'virtual' : row[5] === 3 ? 'stored' : isRowid(row) ? 'by_default' : null,
        primaryKey: row[4] !== 0,
        comment: null,
        allowedValues: null,
      };
    }),
    untold: null,
  };
}

/** What DEFAULT takes bare; the catalog leaves out the parentheses around anything else. */
const bare =
  /^(?:[-+]?\s*[\d.][\w.]*(?:(?<=e)[-+]\d+)?|\w+|x?'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])$/i;

function defaultText(value: string | null): string | null {
  return value === null || bare.test(value) ? value : `(${value})`;
}
