/**
 * Real clients through the door for PostgreSQL's clients: their reads work as on the server itself,
 * their writes are refused with 25006, and their sessions are in the state that they expect.
 */

import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { missingPrograms, needs } from '../../needs.ts';
import { findPostgres } from '../../servers/postgres.ts';
import { missingForTerminals } from '../../terminals/on-terminal.mjs';
import { type OpenDoor, openDoor } from './door.ts';
import * as node from './node-drivers.ts';
import { completed, dumps, looks, program, psql, statements, typedInto } from './programs.ts';

const run = promisify(execFile);
const found = findPostgres();
const bring = 'sh test/install/drivers.sh';
const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const patienceMilliseconds = 240_000;

function missingFiles(folder: string, names: readonly string[]): string | null {
  const there = readdirOrNone(folder);
  const missing = names.filter(name => !there.includes(name));
  return missing.length === 0 ? null : `no ${missing.join(', ')} in ${folder}; ${bring}`;
}

function readdirOrNone(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const python = '/usr/bin/python3';
const missingPython =
  missingPrograms(['python3'], bring) ??
  missingFiles('/usr/lib/python3/dist-packages', ['psycopg2', 'psycopg', 'asyncpg', 'sqlalchemy']);
const jars = ['postgresql.jar', 'junixsocket-common.jar'];
const missingJava = missingPrograms(['java'], bring) ?? missingFiles('/usr/share/java', jars);

needs('unavailable' in found ? found.unavailable : null).describe('through the door', () => {
  const tool = (name: string): string => join('folder' in found ? found.folder : '', name);
  let door: OpenDoor;
  let before: string;
  beforeAll(async () => {
    if ('unavailable' in found) return;
    door = await openDoor(found);
    before = await door.shop.state();
  }, patienceMilliseconds);
  afterAll(async () => {
    expect(await door?.shop.state()).toBe(before);
    await door?.stop();
  });

  describe('psql', () => {
    test(
      'shows what it shows on the server itself',
      async () => {
        const lines = [...looks, ...statements.map(sql => `${sql};`)];
        const direct = await typedInto(door.bare, tool('psql'), lines);
        expect(direct.length).toBeGreaterThan(20_000);
        expect(await typedInto(door.through, tool('psql'), lines)).toBe(direct);
      },
      patienceMilliseconds,
    );

    test.each(statements)(
      'in one message: %s',
      async sql => {
        const [through, direct] = await Promise.all([
          psql(door.through, tool('psql'), sql),
          psql(door.bare, tool('psql'), sql),
        ]);
        expect(through).toEqual(direct);
      },
      patienceMilliseconds,
    );

    needs(missingForTerminals()).describe('on a terminal', () => {
      test.each([
        ['select * from custo', 'customers'],
        ['select * from public.ord', 'orders'],
        ['\\d cust', 'customers'],
        ['set timez', 'timezone'],
      ])(
        'completes %s',
        async (typed, wanted) => {
          expect(await completed(door.through, tool('psql'), typed, wanted)).toBe(true);
        },
        patienceMilliseconds,
      );
    });

    test.each([
      "insert into m values ('x')",
      'with gone as (delete from orders returning 1) select * from gone',
      "\\copy m from '/etc/hostname'",
      'create table made (a int)',
      'vacuum',
      "select set_config('transaction_read_only', 'off', false)",
    ])('is told no: %s', async line => {
      const asked = ['\\set VERBOSITY verbose', '\\pset tuples_only', line, 'select 7'];
      const { code, stdout, stderr } = await psql(door.through, tool('psql'), ...asked);
      expect([code, stderr]).toEqual([0, expect.stringMatching(/^ERROR: {2}25006: /)]);
      expect(stdout).toMatch(/ 7\n/);
    });
  });

  test.each(dumps.map(words => [words.join(' '), words] as const))(
    'pg_dump %s is as on the server itself',
    async (_, words) => {
      const all = ['--no-subscriptions', ...words];
      const through = await program(door.through, tool('pg_dump'), all);
      const direct = await program(door.bare, tool('pg_dump'), all);
      // Newer releases begin and end with a random word.
      const same = (dump: string): string => dump.replace(/^\\(un)?restrict .*$/gm, '');
      expect([through.code, through.stderr]).toEqual([0, '']);
      expect(same(through.stdout)).toBe(same(direct.stdout));
    },
    patienceMilliseconds,
  );

  test(
    'node-postgres',
    async () => {
      expect(await node.nodePostgres(door.through)).toEqual([
        'Customer 1',
        'Customer 2',
        '25006',
        '25006',
        'Customer 3',
        'repeatable read',
        5,
        '25006',
        '25P02',
        2000,
        'COMMIT',
        [{ a: 1 }, { b: 2 }],
        '25006',
        3,
        [1, 2, 3],
      ]);
    },
    patienceMilliseconds,
  );

  test(
    'postgres.js',
    async () => {
      expect(await node.postgresJs(door.through)).toEqual([
        [1, '25006', 3],
        'Customer 3',
        2000,
        '25006',
        '25006',
        2000,
        2,
        1,
      ]);
    },
    patienceMilliseconds,
  );

  test(
    'Knex',
    async () => {
      expect(await node.knexBuilder(door.through)).toEqual([
        ['Customer 1', 'Customer 2'],
        true,
        ['id', 'customer_id', 'total'],
        '2000',
        '25006',
        '25006',
        '25006',
        { n: '50' },
      ]);
    },
    patienceMilliseconds,
  );

  test(
    'Kysely',
    async () => {
      expect(await node.kyselyBuilder(door.through)).toEqual([
        { name: 'Customer 4' },
        ['customers', 'customers', 'm', 'orders', 'orders_seen', 'system_user', 'v'],
        [{ n: '2000' }],
        '25006',
        '25006',
        { total: '4.00' },
      ]);
    },
    patienceMilliseconds,
  );

  needs(missingPython).test(
    'psycopg 2 and 3, asyncpg, SQLAlchemy',
    async () => {
      const { folder, port, user, database } = door.through;
      const words = ['-W', 'ignore', beside('drivers.py'), folder, `${port}`, user, database];
      const { stdout } = await run(python, words, { timeout: 120_000 });
      expect(JSON.parse(stdout)).toEqual({
        psycopg2_reads: [99, 10, 1990],
        psycopg2_copies: '1,1.00\n2,2.00\n',
        psycopg2_levels: 'serializable',
        psycopg2_writes: ['25006', 3, 2, '25006', 0, '25006'],
        psycopg2_read_write_session: '25006',
        psycopg3_reads: ['Customer 5', 3, '9.00', '7\n'],
        psycopg3_pipelines: [1, ['25006'], 3, 'IDLE'],
        psycopg3_writes: ['25006', 'INERROR', '25006', 'INTRANS', 2, '25006'],
        asyncpg_reads_and_writes: ['Customer 7', ['a'], 2000, 120, ['25006', '25006', '25006'], '1\n', 4, false],
        asyncpg_pool: [0, 1, 2],
        sqlalchemy_reflects: [
          ['customers', 'm', 'orders'],
          ['id', 'name', 'email'],
          'customers',
          ['orders_customer'],
          '2001000.00',
        ],
        sqlalchemy_writes: ['25006', 5, '25006', 5, '25006', 5],
      });
    },
    patienceMilliseconds,
  );

  needs(missingJava).test(
    'JDBC in its four modes',
    async () => {
      const classes = jars.map(jar => join('/usr/share/java', jar)).join(':');
      const words = ['-cp', classes, beside('Drivers.java'), door.path, door.through.user, door.through.database];
      const { stdout } = await run('java', words, { timeout: 120_000 });
      const answers = '1 2 3 4 5 6 7 id name email 25006 2000 25006 8 25006 25P02 9';
      expect(stdout.trim().split('\n')).toEqual(
        ['simple', 'extended', 'extendedForPrepared', 'extendedCacheEverything'].map(mode => `${mode}: ${answers}`),
      );
    },
    patienceMilliseconds,
  );
});
