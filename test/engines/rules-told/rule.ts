/**
 * A rule that a description tells, tried: the rows that it forbids are refused by the server, those
 * that it allows are not. So a rule that isn't in force can't be told as if it were.
 */

import { expect, test } from '@jest/globals';
import { tableLines } from '../../../daemon/clients/mcp/tools/table-lines.ts';
import type { Database } from '../../../daemon/engines/engine.ts';
import { call } from '../collecting-sink.ts';

export interface Rule {
  readonly table: string;
  /** Makes the table. */
  readonly made: string;
  /** Parts of the description, each within one line, such as `checks: a > 0`. */
  readonly told: readonly string[];
  readonly untold?: readonly string[];
  /** Run in turn, before `refused`. */
  readonly accepted?: readonly string[];
  readonly refused?: readonly string[];
}

export interface Trial {
  /** Rejects if the server refuses. */
  execute(sql: string): Promise<unknown>;
  readonly database: Database;
}

export function testRules(rules: readonly Rule[], trial: () => Trial): void {
  test.each(rules.map(rule => [`${rule.table}: ${rule.told.join(', ')}`, rule] as const))('%s', async (_, rule) => {
    const { execute, database } = trial();
    await execute(rule.made);
    const lines = await described(database, rule.table);
    for (const text of rule.told) expect(lines).toContain(text);
    for (const text of rule.untold ?? []) expect(lines).not.toContain(text);
    for (const sql of rule.accepted ?? []) await execute(sql);
    for (const sql of rule.refused ?? []) await expect(execute(sql)).rejects.toThrow();
  });
}

/** A line for each part: `columns: id integer not null`. */
export async function described(database: Database, table: string): Promise<string> {
  return Object.entries(await partsOf(database, table))
    .flatMap(([part, value]) => [value].flat().map(line => `${part}: ${line}`))
    .join('\n');
}

async function partsOf(database: Database, table: string): Promise<Record<string, unknown>> {
  const answer = await database.describeTables(call, [table], false);
  const [found] = answer.kind === 'done' ? answer.value : [];
  if (!found) throw new Error(JSON.stringify(answer));
  return tableLines(database.dialect, found, false);
}

/**
 * Makes a table of the columns of `defaults` as they are told, and adds a row to both.
 *
 * @param values what an INSERT of defaults alone says after the table.
 */
export async function expectSameDefaults({ execute, database }: Trial, values: string): Promise<void> {
  const { columns = [] } = await partsOf(database, 'defaults');
  const lines = columns as readonly string[];
  expect(lines.length).toBeGreaterThan(5);
  await execute(`create table again (${lines.join(',\n')})`);
  for (const table of ['defaults', 'again']) await execute(`insert into ${table} ${values}`);
  const rows = await execute('select * from defaults');
  expect(rows).toBeTruthy();
  expect(await execute('select * from again')).toEqual(rows);
}
