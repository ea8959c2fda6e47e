/**
 * A real client reads a table with each type of its engine through the built bridge: byte for byte
 * what `psql` and `mariadb` print.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { types } from '../../engines/mysql/every-type.ts';
import { asPsql, columns } from '../../engines/postgres/every-type.ts';
import { type ConnectedClient, everyClient } from '../clients/every-client.ts';
import { describeWithThreeEngines } from './three-engines.ts';

const separator = '\u0001';
const mostRows = Math.max(...types.map(([, , values]) => values.length));

describeWithThreeEngines('each type', three => {
  let clients: readonly ConnectedClient[] = [];
  beforeAll(async () => {
    const { token } = await three.mint('--scope', 'read-only');
    const target = { home: three.home, url: three.url, token };
    clients = await Promise.all(Object.values(everyClient).map(connect => connect(target)));
  }, 60_000);
  afterAll(async () => {
    await Promise.all(clients.map(client => client.close()));
  });

  test('of PostgreSQL, as psql -At prints it', async () => {
    await three.postgres.psql(
      `create type mood as enum ('sad', 'happy'); create domain positive as integer check (value > 0);
       create type part as (name text, price numeric(10,2));
       create extension citext; create extension hstore; create extension ltree;
       create table every_type (row integer, ${columns.map(([type], index) => `c${index} ${type}`).join(', ')});
       ${[0, 1].map(row => `insert into every_type values (${row}, ${columns.map(([, values]) => `$quoted$${values[row] ?? ''}$quoted$`).join(', ')});`).join('\n')}
       insert into every_type (row) values (2)`,
      'shop',
    );
    const sql = 'select * from every_type order by row';
    const printed = await three.postgres.psql(`\\pset fieldsep '${separator}'\n${sql};`, 'shop');
    for (const client of clients) {
      const { structuredContent } = await client.call('execute_query', { connection: 'Pg', sql });
      const rows = structuredContent?.rows ?? [];
      const lines = printed.split('\n').map(line => line.split(separator));
      const read = rows.map((row, at) => row.map((cell, column) => asPsql(textOf(cell, lines[at]?.[column] ?? ''))));
      expect(read).toEqual(lines);
      expect(structuredContent?.warnings).toBeUndefined();
    }
  }, 60_000);

  test('a time in the zone of its connection, which the answer names', async () => {
    const [client] = clients;
    const ask = async (connection: string, sql: string) => {
      const read = await client?.call('execute_query', { connection, sql });
      return [read?.structuredContent?.rows?.[0]?.[0], read?._meta?.['app.sallyport/time_zone']];
    };
    const moments = {
      Pg: ["select timestamptz '2026-07-01 12:00:00+00'", '2026-07-01 17:30:00+05:30'],
      Maria: ['select from_unixtime(1782907200)', '2026-07-01 17:30:00'],
    } as const;
    for (const [connection, [sql, shown]] of Object.entries(moments)) {
      expect((await ask(connection, sql))[1]).toBeUndefined();
      await three.here(['connections', 'set', connection, '--time-zone', '+05:30']);
      expect(await ask(connection, sql)).toEqual([shown, '+05:30']);
      await three.here(['connections', 'set', connection, '--time-zone', '']);
      expect((await ask(connection, sql))[1]).toBeUndefined();
    }
  }, 60_000);

  test('of MariaDB, as mariadb --batch --raw prints it', async () => {
    const rows = Array.from(
      { length: mostRows + 1 },
      (_, row) => `(${row}, ${types.map(([, , values]) => values[row] ?? 'null').join(', ')})`,
    );
    await three.mariadb.client(
      `SET sql_mode = ''; CREATE TABLE every_type (n int, ${types.map(([type], index) => `c${index} ${type} NULL`).join(', ')});
       INSERT INTO every_type VALUES ${rows.join(', ')}`,
      { database: 'shop' },
    );
    const shown = types.map(([, type], index) => {
      if (!/^(binary|varbinary|\w*blob|bit|geometry|point|polygon)/.test(type)) return `c${index}`;
      // HEX() of a bit column is its number, without its bytes' leading zeros.
      const bytes = type.startsWith('bit') ? `CAST(c${index} AS BINARY)` : `c${index}`;
      return `CONCAT('\\\\x', LOWER(HEX(${bytes})))`;
    });
    const printed = await three.mariadb.client(`SELECT n, ${shown.join(', ')} FROM every_type ORDER BY n`, {
      database: 'shop',
      columnNames: false,
    });
    const expected = printed
      .split('\n')
      .slice(0, -1)
      .map(line => line.split('\t'));
    for (const client of clients) {
      const sql = 'SELECT * FROM every_type ORDER BY n';
      const { structuredContent } = await client.call('execute_query', { connection: 'Maria', sql });
      expect(structuredContent?.columns?.slice(1).map(title => title.slice(title.indexOf(' ') + 1))).toEqual(
        types.map(([, type]) => type),
      );
      const read = (structuredContent?.rows ?? []).map((row, at) =>
        row.map((cell, column) => textOf(cell, expected[at]?.[column] ?? '') ?? 'NULL'),
      );
      expect(read).toEqual(expected);
      expect(structuredContent?.warnings).toBeUndefined();
    }
  }, 60_000);
});

/** A client's JSON reader keeps a number's value but not its form: 1.50 and 1.5. */
function textOf(cell: string | number | boolean | null, form: string): string | null {
  if (cell === null) return null;
  return typeof cell === 'number' && Number(form) === cell ? form : String(cell);
}
