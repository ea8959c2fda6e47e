/** The DDL of tables, run as it stands where what it refers to is there, makes what a dump can't tell from the first. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { TableDescription } from '../../../daemon/query/database.ts';
import { findPostgres } from '../../servers/postgres.ts';
import { contextOf, describeWithPostgres } from './suite.ts';

describeWithPostgres('PostgreSQL: DDL, run again', suite => {
  function dumpOf(database: string): string {
    const binaries = findPostgres();
    const { socketFolder, port, superuser } = suite.server;
    const text = execFileSync(
      join('folder' in binaries ? binaries.folder : '', 'pg_dump'),
      ['--schema-only', `--host=${socketFolder}`, `--port=${port}`, `--username=${superuser}`, database],
      { encoding: 'utf8' },
    );
    // Newer ones restrict psql to a word that differs each time.
    return text.replaceAll(/^\\.*\n/gm, '');
  }

  /**
   * @param around what the tables refer to, made in both databases.
   * @returns the tables as described, the first database's dump, and that of the one where their DDL was run.
   */
  async function makeAgain(database: string, around: string, tables: string, names: readonly string[]) {
    const again = `${database}_again`;
    await suite.server.psql(`create database ${database}; create database ${again}`);
    await suite.server.psql(`${around}\n${tables}`, database);
    const described: TableDescription[] = [];
    const answer = await suite.open({ database }).describeTables(contextOf(), names, true);
    for (const table of answer.kind === 'done' ? answer.value : []) if (table !== null) described.push(table);
    expect(described).toHaveLength(names.length);
    await suite.server.psql(`${around}\n${described.map(({ ddl }) => ddl).join('\n')}`, again);
    return { described, first: dumpOf(database), again: dumpOf(again) };
  }

  test('a foreign key to a table with partitions is one key, and so is that of a partition', async () => {
    const { described, first, again } = await makeAgain(
      'keys',
      '',
      `create table cust (id int primary key) partition by range (id);
       create table cust_1 partition of cust for values from (0) to (100);
       create table cust_2 partition of cust for values from (100) to (200) partition by range (id);
       create table cust_2_1 partition of cust_2 default;
       create table ord (id int, cust_id int references cust) partition by range (id);
       create table ord_1 partition of ord default;`,
      ['cust', 'cust_1', 'cust_2', 'cust_2_1', 'ord', 'ord_1'],
    );
    const keys = described.map(({ foreignKeys }) => foreignKeys.map(({ referencedTable }) => referencedTable));
    expect(keys).toEqual([[], [], [], [], ['cust'], ['cust']]);
    expect(again).toBe(first);
  });
});
