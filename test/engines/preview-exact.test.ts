/**
 * A preview shows the rows that MariaDB's client prints, whatever the server takes a backslash for.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/open.ts';
import { printedCells } from '../../daemon/engines/row-text.ts';
import { needs } from '../needs.ts';
import { lendMariadb } from '../servers/lent.ts';
import { isMysql, type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { call, collect } from './collecting-sink.ts';
import { endpointOf, portsOf } from './mysql/endpoint.ts';
import { previewing } from './preview-for-tests.ts';

needs(mariadbUnavailable()).describe('a preview, exactly', () => {
  let server: MariadbServer;
  let database: Database;
  const preview = previewing(() => database);

  beforeAll(async () => {
    server = await lendMariadb();
    await server.client(
      `CREATE DATABASE exact; USE exact; SET sql_mode = 'NO_BACKSLASH_ESCAPES';
       CREATE TABLE number (id int(5) unsigned zerofill primary key, d double, f float(7,2), y year, z tinyint(3) zerofill);
       INSERT INTO number VALUES (7, 1e308, 0.1, 0, 5), (8, -0e0, -0e0, '0000', 0), (9, 1e-300, 1, 2026, 255);
       CREATE TABLE \`pa\\th's\` (\`na\\me'\` varchar(40) primary key, n double);
       INSERT INTO \`pa\\th's\` VALUES ('C:\\', 1), ('it''s \\''', 2), ('\\''; DROP TABLE number; -- ', 3);`,
    );
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
  }, 60_000);

  describe.each(['', 'NO_BACKSLASH_ESCAPES', 'ANSI,NO_BACKSLASH_ESCAPES'])('under sql_mode %j', mode => {
    beforeAll(async () => {
      await server.client(`SET GLOBAL sql_mode = '${mode}'`);
      database = openMysql(endpointOf(server, { database: 'exact' }), portsOf(server));
    });
    afterAll(async () => {
      await database?.close();
    });

    const printed = async (sql: string): Promise<string[][]> => {
      const lines = await server.client(sql, { database: 'exact', columnNames: false });
      return lines
        .split('\n')
        .slice(0, -1)
        .map(line => line.split('\t'));
    };
    const previewed = async (sql: string) => {
      const answer = await preview(sql);
      if (typeof answer === 'string') throw new Error(answer);
      const rowsOf = (side: typeof answer.before) =>
        Array.from({ length: side?.rows.length ?? 0 }, (_, at) => printedCells({ json: side?.rows.at(at) ?? '[]' }));
      return { before: rowsOf(answer.before), after: rowsOf(answer.after), affected: answer.rows_affected };
    };

    test('numbers, years and zeros before them', async () => {
      const rows = await printed('SELECT * FROM number ORDER BY id');
      const { before, after } = await previewed('update number set z = z - 1 where z > 0');
      expect(before).toEqual([rows[0], rows[2]]);
      expect(after.map(row => row[4])).toEqual(['004', '254']);
      expect((await collect(database, 'SELECT * FROM number ORDER BY id')).printed).toEqual(rows);
    });

    test('a row whose key and table have backslashes and quotes', async () => {
      const own = mode === '' ? "'C:\\\\'" : "'C:\\'";
      const { before, after, affected } = await previewed(`update \`pa\\th's\` set n = 9 where \`na\\me'\` = ${own}`);
      expect({ before, after, affected }).toEqual({ before: [['C:\\', '1']], after: [['C:\\', '9']], affected: 1 });
      const all = await previewed("update `pa\\th's` set n = n + 1 where n > 0");
      expect(all.before.map(([name]) => name).toSorted()).toEqual(
        ['C:\\', "it's \\'", "\\'; DROP TABLE number; -- "].toSorted(),
      );
      expect(all.affected).toBe(3);
    });

    test('a value that ends in a backslash is written as it is', async () => {
      const text = mode === '' ? "'x\\\\'" : "'x\\'";
      const { after } = await previewed(`insert into \`pa\\th's\` values (${text}, 4)`);
      // MySQL has no RETURNING, so the rows that an INSERT adds aren't shown.
      expect(after).toEqual(isMysql() ? [] : [['x\\', '4']]);
    });

    test('the table is described under its name, with the statements that make it', async () => {
      const described = await database.describeTables(call, ["pa\\th's"], true);
      expect(described).toMatchObject({ kind: 'done', value: [{ primaryKey: ["na\\me'"] }] });
    });
  });
});
