/**
 * Tables out of sight on PostgreSQL (spec §6): no attempt with a token that may write shows a row of
 * a hidden table, or a name that it didn't bring. What people send to the other tables runs.
 */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Answer, Database } from '../../../daemon/engines/engine.ts';
import { inSight } from '../../../daemon/engines/in-sight.ts';
import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import { call } from '../../engines/collecting-sink.ts';
import { endpointOf, portsOf } from '../../engines/postgres/suite.ts';
import { needs } from '../../needs.ts';
import { lendPostgres } from '../../servers/lent.ts';
import { findPostgres, type PostgresServer, postgresMajor } from '../../servers/postgres.ts';
import { judgingInThread } from '../../statement/classifier-in-thread.ts';
import { type Asked, asked, askedThroughClient, previewed } from './ask.ts';
import { attempts, bare, ofPolicies } from './postgres-attempts.ts';
import { honest, told } from './postgres-honest.ts';
import { words, wordsThat } from './postgres-new-words.ts';

const found = findPostgres();
const patienceMilliseconds = 240_000;
const sight = { hide: ['audit.*', '*_secret'], only: [], show: ['app.summary'] };
/** What a hidden row holds. */
const row = /h1dden/;
const inSightTables = [
  ...[
    'audited',
    'big',
    'checked',
    'copied',
    'customers',
    'free_seq',
    'guarded',
    'items',
    'kept_totals',
    'moods',
    'orders',
    'over_catalog',
  ],
  ...[
    'over_stats',
    'owned',
    'parts',
    'people',
    'pointing',
    'referred',
    'ruled',
    'summary',
    'totals',
    'touched',
    'with_default',
  ],
];
const names = [
  ...['audit.', 'login_secret', 'parts_two', 'whole', 'kept_log', 'over_log', 'over_row', 'log_bodies', 'log_value'],
  ...['copy_back', 'row_body', 'log_row', 'a_secret', 'referred_id', 'child', 'parent"'],
];
/** As for a name that nothing has, or refused unasked. */
const missing = /\((?:42P01|42883|42704|42P07|3F000)\)$|^unsupported: /s;

/** A part of `app.parts` is hidden, so these give hidden rows too. */
const overParts = `drop view if exists app.all_parts cascade;
create view app.all_parts as select * from app.parts;
create view app.big_parts as select * from app.all_parts where id > 100;
create materialized view app.kept_parts as select * from app.all_parts;`;

/** The name as the server reads it. */
function plain(sql: string): string {
  return sql
    .toLowerCase()
    .replaceAll(/\/\*.*?\*\/|[" ]|u&/g, '')
    .replace('\\0061', 'a');
}

function answered<T>(answer: Answer<T>): T {
  if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
  return answer.value;
}

needs('unavailable' in found ? found.unavailable : null).describe('tables out of sight on PostgreSQL', () => {
  let server: PostgresServer;
  let database: Database;
  let hiding: Database;
  /** The same without operators and casts of users: there, names alone settle most reads. */
  let plainly: Database;

  beforeAll(async () => {
    server = await lendPostgres();
    await server.psql('create database sight');
    await server.psql(readFileSync(new URL('postgres.sql', import.meta.url), 'utf8'), 'sight');
    database = openPostgres(endpointOf(server, { database: 'sight' }), portsOf(server.password));
    hiding = inSight(database, sight);
    await server.psql('create database plainly template sight');
    await server.psql('drop operator app.@@@ (app.orders, int)', 'plainly');
    await server.psql('create database words template plainly');
    await server.psql(wordsThat('select body from audit.log limit 1'), 'words');
    // The path finds this type before the server's, and its values print names.
    await server.psql('create domain app.json as regclass; create database bent template words', 'words');
    await server.psql('alter database bent set search_path = app, pg_catalog, public');
    plainly = openPostgres(endpointOf(server, { database: 'plainly' }), portsOf(server.password));
  }, patienceMilliseconds);
  afterAll(async () => {
    await database?.close();
    await plainly?.close();
    await server?.stop();
  }, patienceMilliseconds);

  const send = (statements: readonly Asked[]) => asked('postgres', hiding, statements);

  test('an empty answer tells which values there are, without statistics that its guard refuses', async () => {
    const [ended] = await send([{ sql: "select id from app.customers where kind = 'old'" }]);
    expect(ended?.answer).toContain("customers.kind has 'new' in the first 10000 rows.");
  });

  test.each([
    ['a database with operators of users', () => hiding],
    ['one without, where names alone settle reads', () => inSight(plainly, sight)],
  ] as const)(
    'no attempt reaches one in %s',
    async (_, of) => {
      const sent = [...attempts.map(sql => ({ sql })), ...bare.map(([schema, sql]) => ({ sql, schema }))];
      expect(sent.length).toBeGreaterThanOrEqual(150);
      const ends = await asked('postgres', of(), sent);
      expect(ends.filter(({ answer }) => row.test(answer))).toEqual([]);
      const told = ends.flatMap(({ sql, answer }) =>
        names.filter(name => answer.includes(name) && !plain(sql).includes(name)).map(name => `${sql} told ${name}`),
      );
      expect(told).toEqual([]);
      expect(ends.filter(({ end }) => !missing.test(end)).map(({ sql, end }) => `${sql}: ${end}`)).toEqual([]);
    },
    patienceMilliseconds,
  );

  test(
    'no word of a later grammar reaches one',
    async () => {
      const typed = ['select n::json from generate_series(16384, 16900) n'];
      const shown = /h1dden|audit\.log/;
      for (const [name, statements] of [
        ['words', words],
        ['bent', typed],
      ] as const) {
        const direct = openPostgres(endpointOf(server, { database: name }), portsOf(server.password));
        const sent = statements.map(sql => ({ sql }));
        const isOlder = postgresMajor() < 16;
        // Without the wall they show it, which proves that they are ways.
        const bare = isOlder ? await asked('postgres', direct, sent) : [];
        const ends = await asked('postgres', inSight(direct, sight), sent);
        await direct.close();
        expect(bare.filter(({ answer }) => !shown.test(answer)).map(({ sql }) => sql)).toEqual([]);
        expect(ends.filter(({ answer }) => shown.test(answer)).map(({ sql }) => sql)).toEqual([]);
        expect(ends.filter(({ end }) => isOlder && !missing.test(end)).map(({ sql, end }) => `${sql}: ${end}`)).toEqual(
          [],
        );
      }
    },
    patienceMilliseconds,
  );

  test('a plan names none that a policy reads, which binds the role', async () => {
    await server.psql("alter role guest password 'not-a-secret'");
    const asGuest = openPostgres(endpointOf(server, { database: 'sight', user: 'guest' }), portsOf('not-a-secret'));
    const sent = ofPolicies.map(sql => ({ sql }));
    // Without the wall it names one, which proves that the policy is in the plan.
    const bare = await asked('postgres', asGuest, sent);
    expect(bare.filter(({ answer }) => !/audit\.log|\blog\b/.test(answer)).map(({ sql }) => sql)).toEqual([]);
    const ends = await asked('postgres', inSight(asGuest, sight), [
      ...sent,
      { sql: 'explain verbose select * from app.owned' },
      { sql: 'select * from app.guarded' },
    ]);
    await asGuest.close();
    expect(ends.map(({ end }) => /^\w+/.exec(end)?.[0])).toEqual([
      ...sent.map(() => 'unsupported'),
      'success',
      'success',
    ]);
    expect(ends.filter(({ answer }) => /audit|\blog\b/.test(answer)).map(({ sql }) => sql)).toEqual([]);
  });

  test('nothing that lists, describes or searches names one', async () => {
    const context = { ...call, signal: new AbortController().signal };
    const all = { ...context, timeoutSeconds: 30 };
    const tables = answered(await hiding.listTables(all));
    expect(tables.map(({ name }) => name).sort()).toEqual(inSightTables);
    expect(answered(await hiding.listSchemas(all)).schemas).not.toContain('audit');
    const texts = answered(await hiding.catalogTexts(all, null));
    const app = { ...all, schema: 'app' };
    const described = answered(await hiding.describeTables(app, inSightTables, true));
    expect(described.filter(each => each === null)).toEqual([]);
    const hidden = answered(
      await hiding.describeTables(
        app,
        ['login_secret', 'over_log', 'over_row', 'kept_log', 'whole_one', 'child'],
        true,
      ),
    );
    expect(hidden).toEqual([null, null, null, null, null, null]);
    for (const name of ['log_bodies', 'log_atomic', 'log_plpgsql', 'note_audit'])
      expect(answered(await hiding.describeObjects(app, name))).toEqual([]);
    expect(answered(await hiding.describeObjects(app, 'order_count'))).toHaveLength(1);
    const told = JSON.stringify([tables, texts, described]);
    expect(names.filter(name => told.includes(name))).toEqual([]);
    const byPerson = JSON.stringify(answered(await database.describeTables(app, ['customers', 'pointing'], true)));
    expect(byPerson).toMatch(/login_secret/);
  });

  test('constants alone ask the catalog nothing, before they run or with them', async () => {
    const context = { ...call, signal: new AbortController().signal, timeoutSeconds: 30 };
    const asks = async (sql: string): Promise<number> => {
      const followed = await hiding.follow(judgingInThread(), context, sql);
      return followed.kind === 'classified' ? (followed.run?.preconditions?.length ?? -1) : -1;
    };
    for (const sql of ['select 1', "SELECT 1 AS ok, 'a'", 'select null, true, 1.5'])
      expect([sql, await asks(sql)]).toEqual([sql, 0]);
    for (const sql of [
      'select 1 = 1',
      'select (select 1)',
      "select 'a'::text",
      'select distinct 1',
      'select 1 from app.orders',
      'select 1 union select 2',
      'values (1)',
    ])
      expect([sql, (await asks(sql)) > 0]).toEqual([sql, true]);
  });

  test('what the server says of one is not passed on', async () => {
    const [ended] = await send([{ sql: 'insert into app.pointing values (7, 99999)' }]);
    expect(ended?.end).toMatch(/^query_failed: .*\(23503\)$/s);
    expect(ended?.answer).not.toMatch(/pointing_log|"log/);
  });

  test('a question that a client shows names none, and a shell’s all', async () => {
    const told: string[] = [];
    for (const sql of ['drop table app.customers cascade', 'drop table app.orders cascade', 'drop table app.items'])
      told.push(await askedThroughClient('postgres', hiding, sql));
    expect(names.filter(name => told.join().includes(name))).toEqual([]);
    expect(told[0]).toMatch(/drops app\.customers.*something that this connection keeps out of sight/s);
    expect(told[2]).toMatch(/drops app\.items/);
    expect(told[2]).not.toContain('out of sight');
    const [byPerson] = [await askedThroughClient('postgres', database, 'drop table app.customers cascade')];
    expect(byPerson).toMatch(/login_secret/);
  });

  test('a preview names none where a person shows the code that changes it', async () => {
    const showing = inSight(database, { ...sight, show: [...sight.show, 'app.touch_audit'] });
    const sql = "update app.touched set label = 'x' where id = 1";
    const preview = await previewed('postgres', showing, sql);
    expect(preview).toContain('rolled_back');
    expect(names.filter(name => preview.includes(name))).toEqual([]);
    expect(await previewed('postgres', database, sql)).toMatch(/audit\.log/);
  });

  test.each([
    ['some names and a schema', sight],
    // No pattern names anything of `app`.
    ['one other schema', { ...sight, hide: ['audit.*'] }],
  ])(
    'a role that is made has no right to what is hidden: %s',
    async (_, hides) => {
      await server.psql(overParts, 'sight');
      const context = { ...call, signal: new AbortController().signal, timeoutSeconds: 30 };
      const wanted = { name: 'reader', access: 'readOnly', schemas: null, statementSeconds: 30 } as const;
      const planned = answered(await inSight(database, hides).planRole(context, wanted));
      const sql = planned.steps.flatMap(({ statements }) => statements).join('\n');
      expect(sql).toContain('ON TABLE "app"."orders" TO "reader"');
      expect(sql).not.toMatch(/audit\b|over_log|kept_log|_parts"|ON ALL TABLES|DEFAULT PRIVILEGES/);
      expect(sql.includes('login_secret')).toBe(!hides.hide.includes('*_secret'));
      expect((await planned.make('not-a-secret')).kind).toBe('made');
      const asReader = openPostgres(endpointOf(server, { database: 'sight', user: 'reader' }), portsOf('not-a-secret'));
      const ends = await asked(
        'postgres',
        asReader,
        [
          ...['app.orders', 'app.summary', 'app.parts_one', 'app.totals'],
          // Views read with their owner's rights, and a parent's reader needs none to its parts.
          ...[
            'audit.log',
            'app.kept_log',
            'app.over_log',
            'app.parts',
            'app.all_parts',
            'app.big_parts',
            'app.kept_parts',
          ],
        ].map(name => ({ sql: `select * from ${name}` })),
      );
      await asReader.close();
      expect((await planned.remove()).stays).toBeNull();
      await server.psql('drop view app.all_parts cascade', 'sight');
      expect(ends.filter(({ answer }) => row.test(answer))).toEqual([]);
      expect(ends.map(({ end }) => /42501|success/.exec(end)?.[0])).toEqual([
        ...Array.from({ length: 4 }, () => 'success'),
        ...Array.from({ length: 7 }, () => '42501'),
      ]);
    },
    patienceMilliseconds,
  );

  test('with a list of what is met, all else is hidden', async () => {
    const listed = inSight(database, { hide: [], only: ['app.orders', 'app.parts'], show: [] });
    const context = { ...call, signal: new AbortController().signal, timeoutSeconds: 30 };
    const tables = answered(await listed.listTables(context));
    expect(tables.map(({ name }) => name).sort()).toEqual(['orders', 'parts']);
    const ends = await asked('postgres', listed, [
      { sql: 'select count(*) from app.orders' },
      { sql: 'select * from app.parts' },
      { sql: "select nextval('app.orders_id_seq')" },
      { sql: 'select * from app.customers' },
      { sql: 'select o.*, c.name from app.orders o join app.customers c on true' },
      { sql: 'select * from app.totals' },
      { sql: 'select count(*) from pg_class' },
    ]);
    expect(ends.map(({ end }) => /^\w+/.exec(end)?.[0])).toEqual([
      ...['success', 'success', 'success', 'query_failed', 'query_failed', 'query_failed', 'unsupported'],
    ]);
  });

  test(
    'what people send runs',
    async () => {
      for (const each of [hiding, inSight(plainly, sight)]) {
        const ends = await asked(
          'postgres',
          each,
          honest.map(sql => ({ sql })),
        );
        expect(ends.filter(({ end }) => end !== 'success').map(({ sql, end }) => `${sql}: ${end}`)).toEqual([]);
      }
      for (const { end } of await send(told.map(sql => ({ sql })))) expect(end).toMatch(/^unsupported: .*list_tables/s);
    },
    patienceMilliseconds,
  );
});
