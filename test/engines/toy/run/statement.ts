/**
 * The whole language: SELECT, INSERT, UPDATE and DELETE on one table, each with at most one
 * condition.
 */

import type { Parameter } from '../../../../daemon/engines/engine.ts';
import type { Table } from '../link.ts';

export interface Statement {
  readonly verb: 'select' | 'insert' | 'update' | 'delete';
  readonly table: string;
  readonly isBounded: boolean;
  /** @returns its result, and what it leaves of the table. Throws a sentence. */
  on(table: Table, parameters: readonly Parameter[]): Effect;
}

export interface Effect {
  readonly columns: readonly string[] | null;
  readonly rows: readonly (readonly string[])[];
  readonly after: Table;
  readonly affected: number;
}

const condition = String.raw`(?: where (\w+) = ('[^']*'|\?))?`;
const select = new RegExp(String.raw`^select (\*|\w+(?:, \w+)*) from (\w+)${condition}(?: limit (\d+))?$`, 'i');
const insert = /^insert into (\w+) values \(([^()]+)\)$/i;
const update = new RegExp(String.raw`^update (\w+) set (\w+) = ('[^']*'|\?)${condition}$`, 'i');
const remove = new RegExp(`^delete from (\\w+)${condition}$`, 'i');

/** Null if it is no statement of this language. */
export function parse(sql: string): Statement | null {
  const text = sql.trim().replace(/\s+/g, ' ');
  const [isSelect, chosen = '', from = '', where, equals, limit] = select.exec(text) ?? [];
  if (isSelect !== undefined)
    return {
      ...{ verb: 'select', table: from, isBounded: where !== undefined },
      on(table, parameters) {
        const columns = chosen === '*' ? table.columns : chosen.split(', ');
        const places = columns.map(name => placeOf(table, name));
        const meets = matching(table, where, equals, parameters);
        const rows = table.rows.filter(meets).slice(0, limit === undefined ? undefined : Number(limit));
        return { columns, rows: rows.map(row => places.map(at => row[at] ?? '')), after: table, affected: 0 };
      },
    };
  const [isInsert, into = '', values = ''] = insert.exec(text) ?? [];
  if (isInsert !== undefined)
    return {
      ...{ verb: 'insert', table: into, isBounded: true },
      on(table, parameters) {
        const left = [...parameters];
        const row = values.split(',').map(value => literal(value.trim(), left));
        if (row.length !== table.columns.length) throw new Error(`${into} has ${table.columns.length} columns.`);
        return { columns: null, rows: [], after: { ...table, rows: [...table.rows, row] }, affected: 1 };
      },
    };
  const [isUpdate, changed = '', column = '', value = '', given, is] = update.exec(text) ?? [];
  if (isUpdate !== undefined)
    return {
      ...{ verb: 'update', table: changed, isBounded: given !== undefined },
      on(table, parameters) {
        const left = [...parameters];
        const set = literal(value, left);
        const at = placeOf(table, column);
        const meets = matching(table, given, is, left);
        const rows = table.rows.map(row => (meets(row) ? row.with(at, set) : row));
        return { columns: null, rows: [], after: { ...table, rows }, affected: table.rows.filter(meets).length };
      },
    };
  const [isDelete, of = '', on, equal] = remove.exec(text) ?? [];
  if (isDelete === undefined) return null;
  return {
    ...{ verb: 'delete', table: of, isBounded: on !== undefined },
    on(table, parameters) {
      const meets = matching(table, on, equal, parameters);
      const rows = table.rows.filter(row => !meets(row));
      return { columns: null, rows: [], after: { ...table, rows }, affected: table.rows.length - rows.length };
    },
  };
}

function placeOf({ columns }: Table, name: string): number {
  const at = columns.indexOf(name);
  if (at < 0) throw new Error(`no such column: ${name}`);
  return at;
}

function literal(text: string, parameters: Parameter[]): string {
  return text === '?' ? String(parameters.shift() ?? '') : text.replace(/^'|'$/g, '');
}

function matching(table: Table, column: string | undefined, text = '', parameters: readonly Parameter[]) {
  if (column === undefined) return () => true;
  const at = placeOf(table, column);
  const wanted = literal(text, [...parameters]);
  return (row: readonly string[]) => row[at] === wanted;
}
