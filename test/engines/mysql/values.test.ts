/**
 * A table with each type, byte for byte as `mariadb --batch --raw` prints it, with and without
 * bound parameters.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { openMysql } from '../../../daemon/engines/mysql/open.ts';
import { needs } from '../../needs.ts';
import { lendMariadb } from '../../servers/lent.ts';
import { isMysql, type MariadbServer, mariadbUnavailable } from '../../servers/mariadb.ts';
import { collect } from '../collecting-sink.ts';
import { endpointOf, portsOf } from './endpoint.ts';
import { types } from './every-type.ts';

needs(mariadbUnavailable()).describe('mysql values', () => {
  let server: MariadbServer;
  let database: Database;
  let printed: string[][][] = [];
  /** To MySQL a bare number is a bigint. */
  const int = (value: number) => (isMysql() ? `${value}` : value);
  const numbers = isMysql()
    ? "json_table(concat('[', repeat('0,', 2999), '0]'), '$[*]' columns (seq for ordinality)) numbers"
    : 'seq_1_to_3000';
  const tableOf = (index: number): string => `type_${index}`;

  beforeAll(async () => {
    server = await lendMariadb();
    const tables = types.map(
      ([declared, , values], index) =>
        `CREATE TABLE ${tableOf(index)} (n int, v ${declared} NULL);
         INSERT INTO ${tableOf(index)} VALUES ${[...values, 'null'].map((value, n) => `(${n}, ${value})`).join(', ')};`,
    );
    await server.client(
      `CREATE DATABASE every CHARACTER SET utf8mb4; USE every; SET sql_mode = ''; ${tables.join('\n')}`,
    );
    printed = await printedByClient();
    database = openMysql(endpointOf(server, { database: 'every' }), portsOf(server));
  }, 60_000);

  afterAll(async () => {
    await database?.close();
    await server?.stop();
  });

  const isBytes = (type: string): boolean => /^(binary|varbinary|\w*blob|bit|geometry|point|polygon)/.test(type);

  // HEX() of a bit column is its number, without its bytes' leading zeros.
  const hexadecimal = (type: string): string =>
    `CONCAT('\\\\x', LOWER(HEX(${type.startsWith('bit') ? 'CAST(v AS BINARY)' : 'v'})))`;

  /** The client's output for each table, bytes as `0x…`: its rows, by index. */
  async function printedByClient(): Promise<string[][][]> {
    const selects = types.map(
      ([, type], index) =>
        `SELECT ${index}, n, ${isBytes(type) ? hexadecimal(type) : 'v'} FROM ${tableOf(index)} ORDER BY n`,
    );
    const lines = (await server.client(selects.join(';'), { database: 'every', columnNames: false })).split('\n');
    const tables: string[][][] = types.map(() => []);
    for (const line of lines.slice(0, -1)) {
      const [index, ...row] = line.split('\t');
      tables[Number(index)]?.push(row);
    }
    return tables;
  }

  const compare = async (index: number, parameters: readonly number[], where: string): Promise<void> => {
    const {
      outcome,
      columns,
      printed: texts,
    } = await collect(database, `SELECT n, v FROM ${tableOf(index)} ${where} ORDER BY n`, { parameters });
    expect(outcome).toMatchObject({ kind: 'done', warnings: [] });
    const type = types[index]?.[1] ?? '';
    // MySQL's results call each kind of it geometry.
    const named = isMysql() && /^(point|polygon)$/.test(type) ? 'geometry' : type;
    expect(columns?.[1]).toEqual({ name: 'v', type: named });
    expect(texts.map(row => row.map(cell => cell ?? 'NULL'))).toEqual(printed[index]);
  };

  test.each(types.map(([declared], index) => [declared, index] as const))('%s', async (_, index) => {
    await compare(index, [], '');
    await compare(index, [-1, 1000], 'WHERE n > ? AND n < ?');
  });

  test('bound and unbound give the same bytes for expressions', async () => {
    const plain = await collect(database, "select 0.1e0 + 0.2e0, 1/3, 'é', now() > 0, 2.50, pow(2, 70)");
    const bound = await collect(
      database,
      "select 0.1e0 + 0.2e0, 1/3, 'é', now() > 0, 2.50, pow(2, 70) from dual where 1 = ?",
      {
        parameters: [1],
      },
    );
    expect(bound.rows).toEqual(plain.rows);
    expect(bound.columns).toEqual(plain.columns);
  });

  test.each(['', 'NO_BACKSLASH_ESCAPES', 'ANSI_QUOTES', 'ANSI,NO_BACKSLASH_ESCAPES'])(
    'no parameter ends its literal under sql_mode %j',
    async mode => {
      await server.client(`SET GLOBAL sql_mode = '${mode}'`);
      const own = openMysql(endpointOf(server, { database: 'every' }), portsOf(server));
      try {
        const nasty = [
          `' OR 1=1 -- `,
          `\\' OR 1=1 -- `,
          `" OR "" = "`,
          '\\',
          "''",
          '\u00bf\u005c\u0027',
          '\0\n\r\x1a',
          '`',
          '%_',
          '?',
        ];
        for (const value of nasty) {
          const { outcome, rows } = await collect(own, "select ?, ? = 'x', '?', hex(?)", {
            parameters: [value, value, value],
          });
          expect(outcome).toMatchObject({ kind: 'done' });
          expect(rows).toEqual([[value, int(0), '?', Buffer.from(value, 'utf8').toString('hex').toUpperCase()]]);
        }
      } finally {
        await own.close();
        await server.client('SET GLOBAL sql_mode = DEFAULT');
      }
    },
  );

  test('parameters take the type the engine gives them', async () => {
    const { rows } = await collect(database, 'select n from type_5 where v = ? limit ?', {
      parameters: [2147483647, 1],
    });
    expect(rows).toEqual([[1]]);
    const big = await collect(database, 'select n from type_8 where v = ?', { parameters: ['9007199254740993'] });
    expect(big.rows).toEqual([[1]]);
    const no = await collect(database, 'select ?', { parameters: [Number.NaN] });
    expect(no.outcome.kind).toBe('query_failed');
  });

  test.each([1e308, 1.7976931348623157e308, 5e-324, 1e21, 1e20, -1e-7, 0.1, 2 ** 53, -0])(
    'the number %p arrives as it was sent',
    async number => {
      // A point stores its coordinates as the bytes of two doubles.
      const { printed: texts } = await collect(database, 'select hex(point(?, 0e0))', { parameters: [number] });
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(number);
      expect(texts[0]?.[0]?.slice(18, 34)).toBe(bytes.toString('hex').toUpperCase());
    },
  );

  test('too many parameters, and only one statement', async () => {
    expect((await collect(database, 'select ?', { parameters: [1, 2] })).outcome.kind).toBe('query_failed');
    const two = await collect(database, 'select ?; drop table type_0', { parameters: [1] });
    expect(two.outcome.kind).toBe('query_failed');
    expect((await collect(database, 'select count(*) from type_0')).rows).toEqual([['4']]);
  });

  test('long cells keep a prefix and say how long they are', async () => {
    const limits = { cellBytes: 10, wireBytes: 50_000_000 };
    const { outcome, rows } = await collect(
      database,
      "select repeat('é', 3000000), repeat('🎉', 3), 1, repeat(x'ff', 3000000), 'short'",
      { limits },
    );
    expect(outcome).toMatchObject({ kind: 'done', cutByWire: false });
    expect(rows).toEqual([
      [
        { kept: 'ééééé', fullBytes: 6_000_000 },
        { kept: '🎉🎉', fullBytes: 12 },
        int(1),
        { kept: '\\xffffffff', fullBytes: 3_000_000 },
        'short',
      ],
    ]);
  });

  test('a cell over the byte limit leaves its prefix, its length, and cells of unknown length', async () => {
    const limits = { cellBytes: 10, wireBytes: 100_000 };
    const { outcome, rows } = await collect(database, "select 'first', null, repeat('é', 3000000), 'never', 7", {
      limits,
    });
    expect(outcome).toMatchObject({ kind: 'done', cutByWire: true });
    expect(rows).toEqual([
      [
        'first',
        null,
        { kept: 'ééééé', fullBytes: 6_000_000 },
        { kept: '', fullBytes: null },
        { kept: '', fullBytes: null },
      ],
    ]);
  });

  test('rows at each offset of the chunks arrive whole', async () => {
    const { rows, outcome } = await collect(
      database,
      `select seq, repeat('é', seq % 300), if(seq % 7 = 0, null, seq * 2.5), repeat('y', if(seq % 50 = 0, 70000, 1)) from ${numbers}`,
      { limits: { cellBytes: 100_000, wireBytes: 100_000_000 } },
    );
    expect(outcome).toMatchObject({ kind: 'done', warnings: [] });
    expect(rows).toHaveLength(3000);
    rows.forEach((row, at) => {
      const n = at + 1;
      expect(row).toEqual([
        `${n}`,
        'é'.repeat(n % 300),
        n % 7 === 0 ? null : (n * 2.5).toFixed(1),
        'y'.repeat(n % 50 === 0 ? 70_000 : 1),
      ]);
    });
  });
});
